/**
 * The rating of a player of puzzles: Glicko-2 against the ratings of the puzzles, as in `python/tavola/ratings/glicko2.py`.
 * Source: Mark E. Glickman, "Example of the Glicko-2 system" (2022).
 */
import type { PuzzleInfo } from '../api/types';

export interface Rating {
  value: number;
  /** The standard error of the value. */
  deviation: number;
  volatility: number;
}

/** A new player begins among the easiest puzzles. */
export const START: Rating = { value: 1000, deviation: 350, volatility: 0.06 };

const SCALE = 173.7178;
/** Limits changes of the volatility. */
const TAU = 0.5;
const CLOSE = 1e-6;

/** With a greater deviation a rating is provisional. */
const ESTABLISHED = 110;

export const isProvisional = ({ deviation }: Rating): boolean => deviation > ESTABLISHED;

/** The rating of a puzzle, from its level and the number of its turns. */
export const ratingOfPuzzle = ({ level, turns }: Pick<PuzzleInfo, 'level' | 'turns'>): Rating => ({
  value: 700 + 200 * level + 50 * (turns - 1),
  deviation: 100,
  volatility: 0,
});

/** The rating after one result: 1 for a win, 0 for a loss. */
export function updated(player: Rating, opponent: Rating, score: 0 | 1): Rating {
  const phi = player.deviation / SCALE;
  const g = 1 / Math.sqrt(1 + 3 * (opponent.deviation / SCALE / Math.PI) ** 2);
  const expected = 1 / (1 + Math.exp((-g * (player.value - opponent.value)) / SCALE));
  const v = 1 / (g * g * expected * (1 - expected));
  const surprise = g * (score - expected);
  const volatility = volatilityAfter(player.volatility, phi, v, v * surprise);
  const grown = Math.hypot(phi, volatility);
  const after = 1 / Math.sqrt(1 / (grown * grown) + 1 / v);
  return {
    value: player.value + after * after * surprise * SCALE,
    deviation: Math.min(after * SCALE, START.deviation),
    volatility,
  };
}

/** The new volatility, by the Illinois variant of false position. */
function volatilityAfter(sigma: number, phi: number, v: number, delta: number): number {
  const a = Math.log(sigma * sigma);
  const f = (x: number) => {
    const e = Math.exp(x);
    const spread = phi * phi + v + e;
    return (e * (delta * delta - spread)) / (2 * spread * spread) - (x - a) / (TAU * TAU);
  };
  let low = a;
  let high = a - TAU;
  if (delta * delta > phi * phi + v) high = Math.log(delta * delta - phi * phi - v);
  else while (f(high) < 0) high -= TAU;
  let [fLow, fHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > CLOSE) {
    const between = low + ((low - high) * fLow) / (fHigh - fLow);
    const fBetween = f(between);
    if (fBetween * fHigh <= 0) [low, fLow] = [high, fHigh];
    else fLow /= 2;
    [high, fHigh] = [between, fBetween];
  }
  return Math.exp(low / 2);
}

/** The rating in a game from the results of its puzzles, by `GAME/ID` and in their order. */
export function ratingIn(
  game: string,
  puzzles: readonly PuzzleInfo[],
  results: Readonly<Record<string, 0 | 1>>,
): Rating {
  const known = new Map(puzzles.map((puzzle) => [`${game}/${puzzle.id}`, puzzle]));
  return Object.entries(results).reduce((rating, [key, result]) => {
    const puzzle = known.get(key);
    return puzzle ? updated(rating, ratingOfPuzzle(puzzle), result) : rating;
  }, START);
}
