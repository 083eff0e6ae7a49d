/** The last positions of matches of the server, to look at without the network. They are stored beside its pages. */
import type { Snapshot } from '../api/types';

/** The service worker knows the name, too. */
const CACHE = 'tavola-positions';
const MOST = 30;

const address = (match: string) => `/match/${encodeURIComponent(match)}`;

/** The cache; null: the browser has none, or forbids it, and then the page does not open without the network either. */
const open = async (): Promise<Cache | null> =>
  'caches' in globalThis ? caches.open(CACHE).catch(() => null) : null;

export async function storePosition(snapshot: Snapshot): Promise<void> {
  const cache = await open();
  if (!cache) return;
  const key = address(snapshot.match);
  await cache.delete(key);
  await cache.put(key, Response.json(snapshot)).catch((error: unknown) => console.warn(error));
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, -MOST).map((old) => cache.delete(old)));
}

/** The last position, in which nothing can be done; null: none is stored. */
export async function lastPosition(match: string): Promise<Snapshot | null> {
  const stored = await (await open())?.match(address(match));
  if (!stored) return null;
  const snapshot = (await stored.json()) as Snapshot;
  const { view, can } = snapshot;
  return {
    ...snapshot,
    view: { ...view, actions: [] },
    can: { ...can, undo: false, confirm: false, resign: false, ask: [], if_away: [], reclaimable: [] },
    clock: null,
    request: null,
  };
}
