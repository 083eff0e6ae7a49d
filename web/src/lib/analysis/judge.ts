/** Judges actions by the values of the positions around them, as python/tavola/analysis/analyse.py does. */
import type { BestLine, JudgedAction } from '../api/types';

/** The minimum cost of a mistake and of a blunder, as a share of the win. */
export const MISTAKE = 0.08;
export const BLUNDER = 0.2;

/** The maximum number of decisive actions, and the minimum change of each. */
const DECISIVE = 5;
const SWING = 0.1;

/** The value of a position. */
export interface Value {
  shares: number[];
  margins: number[];
  /** The possible actions, the best first; for chance, all outcomes. */
  lines: Pick<BestLine, 'action' | 'shares' | 'proven'>[];
  /** The winners of a proven result; null: none is proven. */
  winners: number[] | null;
}

export const difference = (after: readonly number[], before: readonly number[]): number[] =>
  after.map((share, seat) => share - (before[seat] ?? 0));

export function gradeOf(cost: number, isBest: boolean): JudgedAction['grade'] {
  if (isBest) return 'best';
  if (cost >= BLUNDER) return 'blunder';
  return cost >= MISTAKE ? 'mistake' : 'good';
}

/** The mean of values by their parts of the whole. */
export function meanOf(values: readonly Value[], parts: readonly number[], tokens: readonly string[]): Value {
  const seats = values[0]?.shares.length ?? 0;
  const mean = (of: (value: Value) => number[], power: number) =>
    Array.from({ length: seats }, (_, seat) => {
      const terms = values.map((value, number) => ((parts[number] ?? 0) * (of(value)[seat] ?? 0)) ** power);
      return terms.reduce((sum, term) => sum + term, 0) ** (1 / power);
    });
  const winners = values[0]?.winners ?? null;
  const same = winners !== null && values.every((value) => value.winners?.join() === winners.join());
  return {
    shares: mean(({ shares }) => shares, 1),
    margins: mean(({ margins }) => margins, 2),
    lines: values.map(({ shares, winners }, number) => ({
      action: tokens[number] ?? '',
      shares,
      proven: winners !== null,
    })),
    winners: same ? winners : null,
  };
}

interface Judging {
  seat: number;
  turn: number;
  token: string;
  before: Value;
  after: Value;
  /** The value after the best action; needed where a seat did not play it. */
  instead: Value | null;
}

/** Judges an action. */
export function judge({ seat, turn, token, before, after, instead }: Judging): JudgedAction {
  const none = before.shares.map(() => 0);
  const change = difference(after.shares, before.shares);
  const judged = (more: Partial<JudgedAction>): JudgedAction => {
    const effect = more.effect ?? none;
    const unforeseen = difference(change, effect);
    return { token, seat, turn, best: null, cost: 0, margin: 0, grade: null, effect, unforeseen, ...more };
  };
  if (seat < 0) {
    const drawn = before.lines.find(({ action }) => action === token);
    return judged({ effect: difference(drawn?.shares ?? after.shares, before.shares) });
  }
  const best = before.lines[0]?.action ?? token;
  if (best === token || instead === null) return judged({ best: token, grade: 'best' });
  const cost = (instead.shares[seat] ?? 0) - (after.shares[seat] ?? 0);
  const margin = Math.hypot(instead.margins[seat] ?? 0, after.margins[seat] ?? 0);
  if (cost > margin) {
    const effect = difference(after.shares, instead.shares);
    return judged({ best, cost, margin, grade: gradeOf(cost, false), effect });
  }
  // As good as the best action within the margin, or better.
  const better = cost < -margin;
  return judged({ best: better ? token : best, margin, grade: gradeOf(0, better) });
}

/** The indices of the actions that changed the shares most, the largest change first. */
export function decisive(positions: readonly { shares: readonly number[] }[]): number[] {
  const swings = positions
    .slice(1)
    .map(({ shares }, place) =>
      Math.max(...difference(shares, positions[place]?.shares ?? []).map((change) => Math.abs(change))),
    );
  return swings
    .map((swing, place) => ({ swing, place }))
    .filter(({ swing }) => swing >= SWING)
    .sort((a, b) => b.swing - a.swing)
    .slice(0, DECISIVE)
    .map(({ place }) => place);
}
