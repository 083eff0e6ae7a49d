/**
 * JSON values that this browser stores. Values that do not fit are kept in memory, until there is room or the page closes.
 */
import type { Check } from './checks';

/** Why the browser does not store values. */
export type StorageFault = 'full' | 'forbidden';

/** The values that are only in memory, as text. */
const unstored = new Map<string, string>();
let fault: StorageFault | null = null;
let report: (fault: StorageFault | null) => void = () => undefined;

/** Calls back when values can no longer be stored, and when all of them are. */
export function onStorageFault(changed: (fault: StorageFault | null) => void): void {
  report = changed;
  if (fault) report(fault);
}

/** The stored value; `otherwise` if there is none, or if it is malformed. */
export function load<Kept>(key: string, otherwise: Kept, valid: Check): Kept {
  const text = unstored.get(key) ?? stored(key);
  const value = text === null ? null : parsed(text);
  return valid(value) ? (value as Kept) : otherwise;
}

/** The entries of a stored list, without malformed ones. */
export function loadList<Entry>(key: string, valid: Check): Entry[] {
  return load<unknown[]>(key, [], Array.isArray).filter((entry) => valid(entry)) as Entry[];
}

export function save(key: string, what: unknown): void {
  unstored.set(key, JSON.stringify(what));
  store();
}

export function remove(key: string): void {
  unstored.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Where storage is forbidden, nothing is stored.
  }
  store();
}

/** Stores what is only in memory, as far as the browser lets it. */
function store(): void {
  let now: StorageFault | null = null;
  for (const [key, text] of unstored) {
    try {
      localStorage.setItem(key, text);
      unstored.delete(key);
    } catch (error) {
      now = error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'forbidden';
    }
  }
  if (now !== fault) report(now);
  fault = now;
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Where storage is forbidden, nothing is stored.
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
