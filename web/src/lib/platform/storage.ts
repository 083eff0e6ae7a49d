/** JSON values in the local storage of the browser. */

export function load<Kept>(key: string, otherwise: Kept): Kept {
  try {
    const kept = localStorage.getItem(key);
    return kept === null ? otherwise : (JSON.parse(kept) as Kept);
  } catch {
    // Invalid, or storage is forbidden: use the default.
    return otherwise;
  }
}

export function save(key: string, what: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(what));
  } catch {
    // Full or forbidden: the page works, but forgets.
  }
}

export function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Forbidden: nothing is stored.
  }
}
