import { expect, test } from 'vitest';
import { withProof } from '../../src/lib/review/proof';
import type { BestLine, JudgedAction, ReviewPart } from '../../src/lib/api/types';

const action: JudgedAction = {
  token: 'played',
  seat: 0,
  turn: 1,
  best: 'better',
  cost: 0.18,
  margin: 0.02,
  grade: 'mistake',
  effect: [-0.18, 0.18],
  unforeseen: [0, 0],
};
const estimate = (share: number) => ({ shares: [share, 1 - share], margins: [0.02, 0.02], certain: null });
const part: ReviewPart = {
  first: 0,
  length: 1,
  positions: [estimate(0.4), estimate(0.22)],
  actions: [action],
  balances: [],
  decisive: [],
};
const line = (token: string, share: number): BestLine => ({
  action: token,
  shares: [share, 1 - share],
  margins: [0, 0],
  visits: 9,
  variation: [token],
  proven: true,
});

const proof = (winner: number, lines: BestLine[]) => ({
  to_act: 0,
  shares: winner === 0 ? [1, 0] : [0, 1],
  margins: [0, 0],
  certain: { winners: [winner], actions: 4, turns: 2 },
  lines,
});

test('in a position that is proven lost the action costs nothing, and nothing was better', () => {
  const { positions, actions } = withProof(part, 0, proof(1, [line('other', 0)]));
  expect(positions[0]?.shares).toEqual([0, 1]);
  expect(actions[0]).toMatchObject({ best: 'played', cost: 0, grade: 'good' });
});

test('in a position that is proven won the better action is the winning one', () => {
  const { actions } = withProof(part, 0, proof(0, [line('winning', 1)]));
  expect(actions[0]).toMatchObject({ best: 'winning', cost: 0.18, grade: 'mistake' });
});

test('an estimate changes nothing', () => {
  expect(withProof(part, 0, { ...proof(1, []), certain: null })).toBe(part);
});
