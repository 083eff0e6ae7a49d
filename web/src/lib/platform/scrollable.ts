/** Attachment: an element that scrolls takes the focus, so that the arrow keys scroll it. */
export function scrollable(element: HTMLElement): () => void {
  const sizes = new ResizeObserver(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    if (scrollWidth > clientWidth || scrollHeight > clientHeight) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  const observe = () => {
    sizes.disconnect();
    for (const one of [element, ...element.children]) sizes.observe(one);
  };
  // A child more can overflow an element whose own size is fixed.
  const children = new MutationObserver(observe);
  children.observe(element, { childList: true });
  observe();
  return () => {
    sizes.disconnect();
    children.disconnect();
  };
}
