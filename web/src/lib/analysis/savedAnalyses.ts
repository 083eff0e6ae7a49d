/** The analyses that this browser stores. */
import { load, save } from '../platform/storage';
import type { RecordText } from '../core/types';

export interface SavedAnalysis {
  id: string;
  game: string;
  /** The match it came from. */
  match: string | null;
  record: RecordText;
  /** The path to the position on screen, as indices of children. */
  path: number[];
  /** The number of actions of the main line. */
  length: number;
  /** The time of the last change, in milliseconds since 1970. */
  at: number;
}

const KEY = 'tavola.analyses';
const MOST = 40;

/** The stored analyses, the latest first. */
export function savedAnalyses(): SavedAnalysis[] {
  const kept = load<unknown>(KEY, []);
  if (!Array.isArray(kept)) return [];
  return (kept as SavedAnalysis[])
    .filter((saved) => typeof saved?.id === 'string' && Array.isArray(saved.record?.line))
    .sort((a, b) => b.at - a.at);
}

export const savedAnalysis = (id: string): SavedAnalysis | undefined =>
  savedAnalyses().find((saved) => saved.id === id);

export function saveAnalysis(saved: SavedAnalysis): void {
  save(KEY, [saved, ...savedAnalyses().filter(({ id }) => id !== saved.id)].slice(0, MOST));
}

/** Removes an analysis. Returns a function that restores it. */
export function removeAnalysis(id: string): () => void {
  const removed = savedAnalysis(id);
  save(
    KEY,
    savedAnalyses().filter((saved) => saved.id !== id),
  );
  return () => {
    if (removed) saveAnalysis(removed);
  };
}
