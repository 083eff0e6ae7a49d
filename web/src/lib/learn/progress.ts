/** Progress with puzzles as a value. Progress from several places is merged without loss, in any order. */
import { dayAfter } from './daily';

export interface Progress {
  /** How puzzles ended, by `GAME/ID`, the earliest first: 1 without, 0 with mistakes or help. */
  results: Readonly<Record<string, 0 | 1>>;
  /** The days on which the puzzle of the day was solved without help, the earliest first. */
  days: readonly string[];
}

export const NOTHING: Progress = { results: {}, days: [] };

/** All results and days of both. A puzzle that was solved without mistakes in one place counts as such. */
export function merged(one: Progress, other: Progress): Progress {
  const results = { ...one.results };
  for (const [puzzle, result] of Object.entries(other.results))
    if (results[puzzle] !== 1) results[puzzle] = result;
  return { results, days: [...new Set([...one.days, ...other.days])].sort() };
}

/** The part of `all` that `known` lacks, or null: nothing. At most `most` results and as many days. */
export function lacking(all: Progress, known: Progress, most: number): Progress | null {
  const results = Object.entries(all.results)
    .filter(([puzzle, result]) => result > (known.results[puzzle] ?? -1))
    .slice(0, most);
  const days = all.days.filter((day) => !known.days.includes(day)).slice(0, most);
  return results.length + days.length > 0 ? { results: Object.fromEntries(results), days } : null;
}

/** Days in a row on which the puzzle of the day was solved. */
export interface Streak {
  /** The days in a row up to today or yesterday. */
  days: number;
  longest: number;
  /** Whether the puzzle of today is solved. */
  today: boolean;
}

export function streakOf({ days }: Progress, today: string): Streak {
  let [row, longest, last] = [0, 0, ''];
  for (const day of days) {
    // On another device it may be tomorrow already; a later day is of a wrong clock.
    if (day > dayAfter(today)) break;
    row = day === dayAfter(last) ? row + 1 : 1;
    longest = Math.max(longest, row);
    last = day;
  }
  const lasts = last >= today || dayAfter(last) === today;
  return { days: lasts ? row : 0, longest, today: days.includes(today) };
}
