import { expect, test } from 'vitest';
import { isProvisional, ratingIn, ratingOfPuzzle, START, updated } from '../../src/lib/learn/puzzleRating';

const EASY = { id: 'easy', theme: 'best', level: 1, turns: 1 };
/** By the server. */
const EXPECTED = { value: 1563.564194, deviation: 175.402656, volatility: 0.059998657 };
const HARD = { id: 'hard', theme: 'best', level: 8, turns: 1 };

test('an update is that of the ratings of the server', () => {
  // tavola.ratings.glicko2.update(Rating(1500, 200, 0.06), [(Rating(1400, 30), 1.0)])
  const after = updated(
    { value: 1500, deviation: 200, volatility: 0.06 },
    { value: 1400, deviation: 30, volatility: 0.06 },
    1,
  );
  expect(after.value).toBeCloseTo(EXPECTED.value, 3);
  expect(after.deviation).toBeCloseTo(EXPECTED.deviation, 3);
  expect(after.volatility).toBeCloseTo(EXPECTED.volatility, 6);
});

test('the rating adapts: hard puzzles raise it more, and misses lower it', () => {
  const rate = (results: Record<string, 0 | 1>) => ratingIn('a', [EASY, HARD], results).value;
  expect(rate({})).toBe(START.value);
  expect(rate({ 'a/hard': 1 })).toBeGreaterThan(rate({ 'a/easy': 1 }));
  expect(rate({ 'a/easy': 0 })).toBeLessThan(rate({ 'a/hard': 0 }));
  expect(rate({ 'a/hard': 0 })).toBeLessThan(START.value);
  // Other games and puzzles that are gone do not count.
  expect(rate({ 'b/hard': 1, 'a/gone': 1 })).toBe(START.value);
});

test('many results make a rating sure, near the puzzles that are solved half of the time', () => {
  const puzzles = Array.from({ length: 60 }, (_, at) => ({ ...EASY, id: String(at), level: 4 }));
  const results = Object.fromEntries(puzzles.map(({ id }, at) => [`a/${id}`, (at % 2) as 0 | 1]));
  const rating = ratingIn('a', puzzles, results);
  expect(isProvisional(START)).toBe(true);
  expect(isProvisional(rating)).toBe(false);
  expect(Math.abs(rating.value - ratingOfPuzzle({ level: 4, turns: 1 }).value)).toBeLessThan(60);
});
