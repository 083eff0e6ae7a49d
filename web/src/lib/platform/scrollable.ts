/** Attachment: an element that scrolls takes the focus, so that the arrow keys scroll it. */
export function scrollable(element: HTMLElement): () => void {
  const look = new ResizeObserver(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    if (scrollWidth > clientWidth || scrollHeight > clientHeight) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  look.observe(element);
  for (const child of element.children) look.observe(child);
  return () => look.disconnect();
}
