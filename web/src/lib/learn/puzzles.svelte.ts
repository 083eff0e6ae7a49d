/** The puzzles of the server, the choice among them, and the progress in this browser. */
import { listPuzzles } from '../api/lessons';
import { load, save } from '../platform/storage';
import { settings } from '../platform/settings.svelte';
import { dailyOf, dayAfter, dayOf, type Daily } from './daily';
import type { GamePuzzles, PuzzleInfo } from '../api/types';

const SOLVED = 'tavola.puzzles';
const CHOICE = 'tavola.puzzles.choice';
const STREAK = 'tavola.puzzles.streak';

export const puzzles: { known: GamePuzzles[] | null } = $state({ known: null });

let asked: Promise<void> | null = null;

/** Fetches the puzzles once; again after a failure. */
export function loadPuzzles(): Promise<void> {
  asked ??= listPuzzles(settings.language).then(
    (known) => {
      puzzles.known = known.filter((one) => one.puzzles.length > 0);
    },
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

export const puzzlesOf = (game: string): GamePuzzles | undefined =>
  puzzles.known?.find((known) => known.game === game);

/** The filter of the list. An empty game is the first one; an empty theme and level 0 are all. */
export interface Choice {
  game: string;
  theme: string;
  level: number;
}

let choice: Choice = $state.raw(load(CHOICE, { game: '', theme: '', level: 0 }));

export const chosen = (): Choice => choice;

export function choose(changed: Partial<Choice>): void {
  choice = { ...choice, ...changed };
  save(CHOICE, choice);
}

/** Makes the list show a game, with all its puzzles if it showed another one. */
export function showGame(game: string): void {
  if (choice.game !== game) choose({ game, theme: '', level: 0 });
}

/** The puzzles of a game that the choice shows. */
export function shown({ game, puzzles }: GamePuzzles): PuzzleInfo[] {
  const { theme, level } = choice.game === game ? choice : { theme: '', level: 0 };
  return puzzles.filter(
    (one) => (theme === '' || one.theme === theme) && (level === 0 || one.level === level),
  );
}

/** How a puzzle ended for the first time, by `GAME/ID`: 1 without, 0 with mistakes or help. */
let results: Record<string, 0 | 1> = $state.raw(load(SOLVED, {}));

const keyOf = (game: string, id: string) => `${game}/${id}`;

export const resultOf = (game: string, id: string): 0 | 1 | undefined => results[keyOf(game, id)];

/** The next puzzle of the choice without a result, after a puzzle and then from the beginning. */
export function nextPuzzle(known: GamePuzzles, after?: string): PuzzleInfo | undefined {
  const all = shown(known);
  const place = all.findIndex(({ id }) => id === after) + 1;
  return [...all.slice(place), ...all.slice(0, place)].find(
    ({ id }) => id !== after && resultOf(known.game, id) === undefined,
  );
}

/** The puzzle of today, the same for everyone. */
export const daily = (): Daily | null => dailyOf(puzzles.known ?? [], dayOf(new Date()));

/** Days in a row on which the puzzle of the day was solved; `last`: the last such day. */
interface Streak {
  last: string;
  days: number;
  longest: number;
}

let streak: Streak = $state.raw(load(STREAK, { last: '', days: 0, longest: 0 }));

/** The days in a row up to today or yesterday, the longest row, and whether today is solved. */
export function streakNow(): { days: number; longest: number; today: boolean } {
  const now = dayOf(new Date());
  const today = streak.last === now;
  const days = today || dayAfter(streak.last) === now ? streak.days : 0;
  return { days, longest: streak.longest, today };
}

/** Stores the first result of a puzzle, and the day if it is the puzzle of the day without help. */
export function markPuzzle(game: string, id: string, { clean, helped }: { clean: boolean; helped: boolean }) {
  const key = keyOf(game, id);
  if (results[key] === undefined) {
    results = { ...results, [key]: clean ? 1 : 0 };
    save(SOLVED, results);
  }
  const { days, longest, today } = streakNow();
  const now = daily();
  if (helped || today || now?.game !== game || now.puzzle.id !== id) return;
  streak = { last: dayOf(new Date()), days: days + 1, longest: Math.max(longest, days + 1) };
  save(STREAK, streak);
}
