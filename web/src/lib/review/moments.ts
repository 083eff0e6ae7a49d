/** The moments that decided a game, and the accuracy of its players. */
import type { JudgedAction, ReviewPart } from '../api/types';

/** The number of moments. */
const MOST = 3;

/** The minimum cost of an action with a better one to find: that of a mistake. */
export const MISTAKE = 0.08;

/** A cost below this is as good as the best action. */
const CLOSE = MISTAKE / 2;

/** How fast an action's accuracy falls with its cost. */
const SLOPE = 5;

export interface Moment {
  /** The index of the action. */
  at: number;
  /** The seat whose share changed most, with its share before and after. */
  seat: number;
  before: number;
  after: number;
  /** The seat that could have played better; null: no action was clearly better, or chance acted. */
  finder: number | null;
}

/** The moments that decided the game, the largest change first; mistakes come before what chance did. */
export function momentsOf({ positions, actions, decisive }: ReviewPart): Moment[] {
  const mistakes = [...actions.keys()].filter((at) => isPuzzle(actions[at]));
  const weigh = (at: number) => Math.max(actions[at]?.cost ?? 0, swingAt(positions, at).change);
  const ranked = (list: readonly number[]) => [...list].sort((one, other) => weigh(other) - weigh(one));
  const chosen = [...ranked(mistakes), ...ranked(decisive.filter((at) => !mistakes.includes(at)))];
  return ranked(chosen.slice(0, MOST)).map((at) => {
    const { seat, before, after } = swingAt(positions, at);
    const judged = actions[at];
    return { at, seat, before, after, finder: judged && isPuzzle(judged) ? judged.seat : null };
  });
}

const isPuzzle = (judged: JudgedAction | undefined): boolean =>
  judged !== undefined && judged.best !== null && judged.best !== judged.token && judged.cost >= MISTAKE;

/** The seat whose share an action changed most. */
function swingAt(positions: ReviewPart['positions'], at: number) {
  const [before, after] = [positions[at]?.shares ?? [], positions[at + 1]?.shares ?? []];
  const change = (seat: number) => Math.abs((after[seat] ?? 0) - (before[seat] ?? 0));
  const seat = [...before.keys()].reduce((most, one) => (change(one) > change(most) ? one : most), 0);
  return { seat, before: before[seat] ?? 0, after: after[seat] ?? 0, change: change(seat) };
}

/** Whether another try is as good as the best action; `cost`: its share below that of the best action. */
export const isFound = ({ best }: Pick<JudgedAction, 'best'>, token: string, cost: number): boolean =>
  token === best || cost <= CLOSE;

/** The accuracy of a seat from 0 to 1: the mean over its actions, each by its cost; null without actions. */
export function accuracyOf(actions: readonly JudgedAction[], seat: number): number | null {
  const own = actions.filter((action) => action.seat === seat && action.grade !== null);
  if (own.length === 0) return null;
  return own.reduce((sum, { cost }) => sum + Math.exp(-SLOPE * cost), 0) / own.length;
}

/** The indices of the mistakes that have room beside each other for a mark, the costliest first. */
export function markedMistakes(actions: ReviewPart['actions'], apart: number): number[] {
  const marked: number[] = [];
  const bad = actions.flatMap(({ grade, cost }, at) =>
    grade === 'mistake' || grade === 'blunder' ? [{ at, cost }] : [],
  );
  for (const { at } of bad.sort((one, other) => other.cost - one.cost))
    if (marked.every((other) => Math.abs(other - at) >= apart)) marked.push(at);
  return marked;
}
