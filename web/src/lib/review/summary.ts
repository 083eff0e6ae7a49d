/** The balance of a game and its decisive actions, as `Summary` in `crates/coach/src/review/judge.rs`. */
import type { Balance, JudgedAction, ReviewPart } from '../api/types';

/** The number of decisive actions, and the minimum change of each. */
const DECISIVE = 5;
const SWING = 0.1;

const sum = (parts: number[]): number => parts.reduce((all, part) => all + part, 0);

export function summarize(
  positions: readonly Pick<ReviewPart['positions'][number], 'shares'>[],
  actions: readonly JudgedAction[],
): Pick<ReviewPart, 'balances' | 'decisive'> {
  const shares = positions.map((position) => position.shares);
  const balances = (shares[0] ?? []).map((start, seat): Balance => {
    const effect = (counts: (actor: number) => boolean) =>
      sum(actions.flatMap((action) => (counts(action.seat) ? (action.effect[seat] ?? 0) : [])));
    return {
      seat,
      start,
      luck: effect((actor) => actor < 0),
      own: effect((actor) => actor === seat),
      others: effect((actor) => actor >= 0 && actor !== seat),
      unforeseen: sum(actions.map(({ unforeseen }) => unforeseen[seat] ?? 0)),
      end: shares.at(-1)?.[seat] ?? start,
    };
  });
  const swings = shares
    .slice(1)
    .map((after, place) =>
      Math.max(...after.map((share, seat) => Math.abs(share - (shares[place]?.[seat] ?? 0)))),
    );
  const decisive = [...swings.keys()]
    .filter((place) => (swings[place] ?? 0) >= SWING)
    .sort((one, other) => (swings[other] ?? 0) - (swings[one] ?? 0))
    .slice(0, DECISIVE);
  return { balances, decisive };
}
