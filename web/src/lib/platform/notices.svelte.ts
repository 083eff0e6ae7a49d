/** Notices above the page: that nothing can be stored, and the last removal, which can be undone. */
import { onStorageFault, type StorageFault } from './storage';

interface Removal {
  /** The removed thing, as text in the language of the page. */
  text: () => string;
  restore: () => void;
}

/** Keeps what the page shows elsewhere. */
interface Rescue {
  label: string;
  run: () => void;
}

interface Notices {
  removal: Removal | null;
  /** Why the browser stores nothing more; null: it does, or the user closed the notice. */
  fault: StorageFault | null;
  /** By page; null: the page shows nothing that would be lost. */
  rescue: Rescue | null;
}

export const notices: Notices = $state({ removal: null, fault: null, rescue: null });

onStorageFault((fault) => (notices.fault = fault));

/** Offers a way to keep what the page shows while the browser cannot store it. For an effect. */
export function offerRescue(label: string, run: () => void): () => void {
  notices.rescue = { label, run };
  return () => (notices.rescue = null);
}

/** Offers to undo a removal until the next one, or until the user opens another page. */
export function offerUndo(text: () => string, restore: () => void): void {
  notices.removal = { text, restore };
}

export function undoRemoval(): void {
  notices.removal?.restore();
  notices.removal = null;
}
