/** Copies text. */

/** Copies a text. `near`: the focused element, as an open dialog makes the rest of the page inert. */
export async function copy(text: string, near: Element | null = document.activeElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Insecure pages need the old way.
    const area = document.createElement('textarea');
    area.value = text;
    (near?.closest('dialog') ?? document.body).append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    if (near instanceof HTMLElement) near.focus();
  }
}
