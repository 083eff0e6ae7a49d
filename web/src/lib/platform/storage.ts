/** JSON values in the local storage of the browser. */

export function load<Kept>(key: string, otherwise: Kept): Kept {
  try {
    const kept = localStorage.getItem(key);
    return kept === null ? otherwise : (JSON.parse(kept) as Kept);
  } catch {
    // Not ours, or storage is forbidden here: as if there were nothing.
    return otherwise;
  }
}

export function save(key: string, what: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(what));
  } catch {
    // Full or forbidden: the page works without it, only does not remember.
  }
}

export function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Forbidden: then there is nothing to forget either.
  }
}
