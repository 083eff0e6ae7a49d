/** The puzzles of the server, the choice among them, and the user's results. */
import { listPuzzles } from '../api/lessons';
import { hasFields, isNumber, isText } from '../platform/checks';
import { load, save } from '../platform/storage';
import { settings } from '../platform/settings.svelte';
import { dailyOf, dayOf, type Daily } from './daily';
import { type Streak, streakOf } from './progress';
import { addProgress, progress } from './puzzleProgress.svelte';
import { ratingIn, ratingOfPuzzle, type Rating } from './puzzleRating';
import type { GamePuzzles, PuzzleInfo } from '../api/types';

const CHOICE = 'tavola.puzzles.choice';

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

let choice: Choice = $state.raw(
  load(
    CHOICE,
    { game: '', theme: '', level: 0 },
    hasFields({ game: isText, theme: isText, level: isNumber }),
  ),
);

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

/** The same by level, then shorter ones and the first themes of the game before others. */
export function easiestFirst(known: GamePuzzles): PuzzleInfo[] {
  const rank = new Map(known.themes.map(({ id }, at) => [id, at]));
  const place = ({ theme }: PuzzleInfo) => rank.get(theme) ?? rank.size;
  return shown(known).sort(
    (one, other) => one.level - other.level || one.turns - other.turns || place(one) - place(other),
  );
}

const keyOf = (game: string, id: string) => `${game}/${id}`;

/** How a puzzle ended for the first time: 1 without, 0 with mistakes or help. */
export const resultOf = (game: string, id: string): 0 | 1 | undefined => progress().results[keyOf(game, id)];

/** The user's rating with the puzzles of a game. */
export const ratingOf = ({ game, puzzles }: GamePuzzles): Rating =>
  ratingIn(game, puzzles, progress().results);

/** The next puzzle of the choice without a result: the one whose rating is nearest to the user's, the easiest first. */
export function nextPuzzle(known: GamePuzzles, after?: string): PuzzleInfo | undefined {
  const { value } = ratingOf(known);
  const distance = (puzzle: PuzzleInfo) => Math.abs(ratingOfPuzzle(puzzle).value - value);
  return easiestFirst(known)
    .filter(({ id }) => id !== after && resultOf(known.game, id) === undefined)
    .reduce<PuzzleInfo | undefined>(
      (best, one) => (best === undefined || distance(one) < distance(best) ? one : best),
      undefined,
    );
}

let today = $state(dayOf(new Date()));

/** Follows the date while a page is open. For an effect. */
export function followDay(): () => void {
  const look = () => (today = dayOf(new Date()));
  const timer = setInterval(look, 20_000);
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

/** The puzzle of today, the same for everyone. */
export const daily = (): Daily | null => dailyOf(puzzles.known ?? [], today);

/** The days in a row up to today or yesterday, the longest row, and whether today is solved. */
export const streakNow = (): Streak => streakOf(progress(), today);

/**
 * Stores the first result of a puzzle. Without help it counts for the day whose puzzle it is: the one on which it was
 * opened, or the current one. Returns the user's rating before and after the first result.
 */
export function markPuzzle(
  game: string,
  id: string,
  { clean, helped, opened }: { clean: boolean; helped: boolean; opened: Date },
): { before: number; after: number } | null {
  const days = [opened, new Date()].map(dayOf).filter((day) => {
    const one = dailyOf(puzzles.known ?? [], day);
    return one?.game === game && one.puzzle.id === id;
  });
  const known = puzzlesOf(game);
  const first = resultOf(game, id) === undefined;
  const before = known && ratingOf(known).value;
  addProgress({
    results: first ? { [keyOf(game, id)]: clean ? 1 : 0 } : {},
    days: helped ? [] : days.slice(0, 1),
  });
  return known && before !== undefined && first ? { before, after: ratingOf(known).value } : null;
}
