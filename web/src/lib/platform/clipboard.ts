/** Copying text. */

/** Puts a text into the clipboard. `near`: what has the focus, as an open dialog keeps the rest of the page out of reach. */
export async function copy(text: string, near: Element | null = document.activeElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not served securely: the old way.
    const area = document.createElement('textarea');
    area.value = text;
    (near?.closest('dialog') ?? document.body).append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    if (near instanceof HTMLElement) near.focus();
  }
}
