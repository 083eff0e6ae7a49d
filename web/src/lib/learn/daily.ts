/** The puzzle of the day: it depends on the date alone, so it is the same for everyone. */
import type { Check } from '../platform/checks';
import type { GamePuzzles, PuzzleInfo } from '../api/types';

const MS_PER_DAY = 86_400_000;

export interface Daily {
  game: string;
  puzzle: PuzzleInfo;
}

/** The local date: `2026-11-25`. */
export function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export const isDay: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

/** The day this many days after a day, or before it; empty for an empty day. */
export const dayAfter = (day: string, count = 1): string =>
  day === '' ? '' : new Date(Date.parse(`${day}T00:00:00Z`) + count * MS_PER_DAY).toISOString().slice(0, 10);

/** The puzzle of a day. The games take turns, and the ids, which are random, order the puzzles. */
export function dailyOf(known: readonly GamePuzzles[], day: string): Daily | null {
  const number = Math.floor(Date.parse(`${day}T00:00:00Z`) / MS_PER_DAY);
  const one = known[number % known.length];
  if (!one) return null;
  const ordered = [...one.puzzles].sort((a, b) => (a.id < b.id ? -1 : 1));
  const puzzle = ordered[Math.floor(number / known.length) % ordered.length];
  return puzzle ? { game: one.game, puzzle } : null;
}
