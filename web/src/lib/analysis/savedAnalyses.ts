/** The analyses that this browser stores. */
import { hasFields, isListOf, isNumber, isOrNull, isText } from '../platform/checks';
import { loadList, save } from '../platform/storage';
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

const isSaved = hasFields({
  id: isText,
  game: isText,
  match: isOrNull(isText),
  record: hasFields({ tags: Array.isArray, line: Array.isArray }),
  path: isListOf(isNumber),
  length: isNumber,
  at: isNumber,
});

/** The stored analyses, the latest first. */
export const savedAnalyses = (): SavedAnalysis[] =>
  loadList<SavedAnalysis>(KEY, isSaved).sort((a, b) => b.at - a.at);

export const savedAnalysis = (id: string): SavedAnalysis | undefined =>
  savedAnalyses().find((saved) => saved.id === id);

export function saveAnalysis(saved: SavedAnalysis): void {
  save(KEY, [saved, ...savedAnalyses().filter(({ id }) => id !== saved.id)]);
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
