/** The complete lessons and puzzles of a game, with which the core judges. Puzzles have the form of lessons. */
import { listGameLessons, listGamePuzzles } from '../api/lessons';
import { settings } from '../platform/settings.svelte';
import type { LessonData, Place } from '../core/types';

/** The prefix of the ids of puzzles. */
const PUZZLE = 'puzzle-';

const asked = new Map<string, Promise<LessonData[]>>();

/** Fetches a list once; again after a failure. */
function once(key: string, fetch: () => Promise<LessonData[]>): Promise<LessonData[]> {
  const known = asked.get(key);
  if (known) return known;
  const answer = fetch().catch((error: unknown) => {
    asked.delete(key);
    throw error;
  });
  asked.set(key, answer);
  return answer;
}

/** A lesson, or a puzzle by its id as a lesson; null: there is none. */
export async function lessonData(game: string, id: string): Promise<LessonData | null> {
  const all = id.startsWith(PUZZLE)
    ? await once(`puzzles ${game}`, () => listGamePuzzles(game, settings.language))
    : await once(`lessons ${game}`, () => listGameLessons(game, settings.language));
  return all.find((one) => one.id === id) ?? null;
}

/** The first position of a puzzle. */
export const puzzlePlace = (game: string, { options, steps }: LessonData): Place => ({
  game,
  options: Object.fromEntries(options.split(' ').flatMap((word) => (word ? [word.split('=', 2)] : []))),
  position: steps[0]?.position ?? null,
  line: [],
});

export const puzzleData = (game: string, puzzle: string): Promise<LessonData | null> =>
  lessonData(game, PUZZLE + puzzle);
