/** Proofs that a longer search found after the review: verdicts, graph and balances follow them. */
import type { Analysis, JudgedAction, ReviewPart } from '../api/types';
import { summarize } from './summary';

export type Proven = Pick<Analysis['position'], 'to_act' | 'shares' | 'margins' | 'certain' | 'lines'>;

type Position = ReviewPart['positions'][number];

/** The minimum cost of a mistake and of a blunder, as in `crates/coach/src/review/judge.rs`. */
const MISTAKE = 0.08;
const BLUNDER = 0.2;

const difference = (after: number[], before: number[]) =>
  after.map((share, seat) => share - (before[seat] ?? 0));

/** The review with proofs in place of estimates, by the number of actions before the position. */
export function withProofs(part: ReviewPart, found: Iterable<[ply: number, proof: Proven]>): ReviewPart {
  const proofs = new Map([...found].filter(([ply, { certain }]) => certain && part.positions[ply]));
  if (proofs.size === 0) return part;
  const positions = [...part.positions];
  const exact = new Set<number>();
  for (const [ply, estimate] of part.positions.entries()) {
    const proof = proofs.get(ply);
    const shares = proof?.shares ?? (exact.has(ply - 1) ? leftBy(part, positions, proofs, ply - 1) : null);
    if (!shares) continue;
    positions[ply] = { shares, margins: shares.map(() => 0), certain: proof?.certain ?? estimate.certain };
    exact.add(ply);
  }
  const actions = part.actions.map((action, ply) => {
    const [before, after, was] = [positions[ply], positions[ply + 1], part.positions[ply + 1]];
    if (!before || !after || !was || (!exact.has(ply) && !exact.has(ply + 1))) return action;
    const judged = judgedAgain(action, { before, after, was, proof: proofs.get(ply) });
    const unforeseen = difference(difference(after.shares, before.shares), judged.effect);
    return { ...judged, unforeseen };
  });
  // A review that has not ended has no balances yet.
  const summary = part.balances.length > 0 ? summarize(positions, actions) : {};
  return { ...part, positions, actions, ...summary };
}

/** The shares after an action in a position with known result, where the result follows from it; null: it does not. */
function leftBy(
  { actions }: ReviewPart,
  positions: readonly Position[],
  proofs: ReadonlyMap<number, Proven>,
  ply: number,
): number[] | null {
  const [action, shares] = [actions[ply], positions[ply]?.shares];
  if (!action || !shares) return null;
  const line = proofs.get(ply)?.lines.find((one) => one.proven && one.action === action.token);
  if (line) return line.shares;
  const lost = shares.length === 2 && shares[action.seat] === 0;
  return lost || (action.seat < 0 && proofs.has(ply)) ? shares : null;
}

/** Judges an action by the values around it; `was`: the estimate of the position after it. */
function judgedAgain(
  action: JudgedAction,
  {
    before,
    after,
    was,
    proof,
  }: { before: Position; after: Position; was: Position; proof?: Proven | undefined },
): JudgedAction {
  const { seat, token } = action;
  const nothing = { ...action, cost: 0, effect: action.effect.map(() => 0) };
  if (action.grade === null) return proof ? nothing : action;
  const first = proof ? (proof.lines[0]?.action ?? action.best) : action.best;
  // In a lost position nothing costs anything.
  if (before.shares[seat] === 0 && before.margins[seat] === 0)
    return { ...nothing, best: token, margin: 0, grade: first === token ? 'best' : 'good' };
  // The search knew nothing better.
  if (!proof && first === token) return action;
  const instead = proof ? before.shares : difference(was.shares, action.effect);
  const effect = difference(after.shares, instead);
  const cost = -(effect[seat] ?? 0);
  const margin = after.margins[seat] ?? 0;
  if (cost <= margin) return { ...nothing, best: token, margin, grade: first === token ? 'best' : 'good' };
  const grade = cost >= BLUNDER ? 'blunder' : cost >= MISTAKE ? 'mistake' : 'good';
  return { ...action, best: first, cost, margin, grade, effect };
}
