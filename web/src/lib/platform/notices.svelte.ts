/** What the page says above its content: the last removal, which can be undone. */

interface Removal {
  /** What was removed, as text in the language of the page. */
  text: () => string;
  restore: () => void;
}

export const notices: { removal: Removal | null } = $state({ removal: null });

/** Offers to undo a removal until the next one, or until the user opens another page. */
export function offerUndo(text: () => string, restore: () => void): void {
  notices.removal = { text, restore };
}

export function undoRemoval(): void {
  notices.removal?.restore();
  notices.removal = null;
}
