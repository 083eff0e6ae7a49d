/** Attachment: an element that scrolls takes the focus, so that the arrow keys scroll it. */
export function scrollable(element: HTMLElement): () => void {
  const look = new ResizeObserver(() => {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  look.observe(element);
  for (const child of element.children) look.observe(child);
  return () => look.disconnect();
}
