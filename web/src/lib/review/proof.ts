/** Proofs that a longer search found after the review. */
import type { Analysis, ReviewPart } from '../api/types';

export type Proven = Pick<Analysis['position'], 'to_act' | 'shares' | 'margins' | 'certain' | 'lines'>;

/** The review with proofs in place of estimates, by the number of actions before the position. */
export const withProofs = (part: ReviewPart, proofs: Iterable<[ply: number, proof: Proven]>): ReviewPart =>
  [...proofs].reduce((proven, [ply, proof]) => withProof(proven, ply, proof), part);

/** The review with a proof in place of the estimate of a position, and of the verdict on the action played there. */
export function withProof(part: ReviewPart, ply: number, proof: Proven): ReviewPart {
  const { certain, shares, margins, to_act: seat, lines } = proof;
  if (!certain || !part.positions[ply]) return part;
  const positions = part.positions.with(ply, { shares, margins, certain });
  const judged = part.actions[ply];
  if (!judged || judged.grade === null || seat === null || seat < 0) return { ...part, positions };
  const [best] = lines;
  const after = lines.find(({ action, proven }) => proven && action === judged.token) ?? positions[ply + 1];
  const cost = Math.max(0, (shares[seat] ?? 0) - (after?.shares[seat] ?? 0));
  // In a lost position nothing costs anything, and the proof may refute what seemed better.
  const action =
    cost === 0
      ? { ...judged, best: judged.token, cost, grade: 'good' as const, effect: judged.effect.map(() => 0) }
      : { ...judged, best: best?.action ?? judged.best };
  return { ...part, positions, actions: part.actions.with(ply, action) };
}
