import { expect, test } from 'vitest';
import { withProofs } from '../../src/lib/review/proof';
import type { Line, JudgedAction, ReviewPart } from '../../src/lib/api/types';

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
  balances: [0.4, 0.6].map((start, seat) => ({
    seat,
    start,
    luck: 0,
    own: 0,
    others: 0,
    unforeseen: 0,
    end: start,
  })),
  decisive: [],
};
const line = (token: string, share: number): Line => ({
  action: token,
  shares: [share, 1 - share],
  margins: [0, 0],
  visits: 9,
  variation: [token],
  proven: true,
});

const proof = (winner: number, lines: Line[]) => ({
  to_act: 0,
  shares: winner === 0 ? [1, 0] : [0, 1],
  margins: [0, 0],
  certain: { winners: [winner], actions: 4, turns: 2 },
  lines,
});

/** The sum of a balance is the share at the end. */
const expectBalanced = ({ balances, positions }: ReviewPart) => {
  for (const { seat, start, luck, own, others, unforeseen, end } of balances) {
    expect(start).toBe(positions[0]?.shares[seat]);
    expect(start + luck + own + others + unforeseen).toBeCloseTo(end);
  }
};

test('in a position that is proven lost the action costs nothing, and nothing was better', () => {
  const study = withProofs(part, [[0, proof(1, [line('other', 0)])]]);
  // No action changes the result.
  expect(study.positions.map(({ shares }) => shares)).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect(study.actions[0]).toMatchObject({ best: 'played', cost: 0, grade: 'good', unforeseen: [0, 0] });
  expect(study.decisive).toEqual([]);
  expectBalanced(study);
});

test('in a position that is proven won the winning action was better, and the other one cost the win', () => {
  const study = withProofs(part, [[0, proof(0, [line('winning', 1)])]]);
  expect(study.actions[0]).toMatchObject({ best: 'winning', grade: 'blunder' });
  expect(study.actions[0]?.cost).toBeCloseTo(0.78);
  expect(study.decisive).toEqual([0]);
  expect(study.balances[0]?.own).toBeCloseTo(-0.78);
  expectBalanced(study);
});

test('an action that is proven to win was no mistake', () => {
  const study = withProofs(part, [[0, proof(0, [line('winning', 1), line('played', 1)])]]);
  expect(study.actions[0]).toMatchObject({ best: 'played', cost: 0, grade: 'good', effect: [0, 0] });
  expect(study.positions[1]?.shares).toEqual([1, 0]);
  expectBalanced(study);
});

test('an action after which the game is proven lost or won is judged by that', () => {
  const lost = withProofs(part, [[1, proof(1, [])]]);
  expect(lost.actions[0]).toMatchObject({ best: 'better', grade: 'blunder' });
  expect(lost.actions[0]?.cost).toBeCloseTo(0.4);
  expectBalanced(lost);
  const won = withProofs(part, [[1, proof(0, [])]]);
  expect(won.actions[0]).toMatchObject({ best: 'played', cost: 0, effect: [0, 0] });
  expectBalanced(won);
});

test('an estimate changes nothing', () => {
  expect(withProofs(part, [[0, { ...proof(1, []), certain: null }]])).toBe(part);
});
