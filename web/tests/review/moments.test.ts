import { expect, test, vi } from 'vitest';
import { MomentPuzzle } from '../../src/lib/review/momentPuzzle.svelte';
import { accuracyOf, markedMistakes, momentsOf } from '../../src/lib/review/moments';
import type { JudgedAction, ReviewPart } from '../../src/lib/api/types';

const judged = (seat: number, cost: number, more: Partial<JudgedAction> = {}): JudgedAction => ({
  token: 'played',
  seat,
  turn: 1,
  best: cost > 0 ? 'better' : 'played',
  cost,
  margin: 0,
  grade: cost >= 0.2 ? 'blunder' : cost >= 0.08 ? 'mistake' : 'best',
  effect: [-cost, cost],
  unforeseen: [0, 0],
  ...more,
});

const part = (shares: number[], actions: JudgedAction[], decisive: number[]): ReviewPart => ({
  first: 0,
  length: actions.length,
  positions: shares.map((share) => ({ shares: [share, 1 - share], margins: [0, 0], certain: null })),
  actions,
  balances: [],
  decisive,
});

const luck = judged(-1, 0, { grade: null, best: null });

test('the moments are the greatest mistakes, and then what chance decided, the largest change first', () => {
  const actions = [judged(0, 0.1), luck, judged(1, 0.3), judged(0, 0.02), luck];
  const study = part([0.5, 0.4, 0.8, 1, 0.98, 0.85], actions, [1, 2, 4]);
  expect(momentsOf(study).map(({ at, finder }) => [at, finder])).toEqual([
    [1, null],
    [2, 1],
    [0, 0],
  ]);
  expect(momentsOf(part([0.5, 0.5], [judged(0, 0)], []))).toEqual([]);
});

test('a fourth mistake is not among the moments', () => {
  const actions = [judged(0, 0.1), judged(1, 0.3), judged(0, 0.2), judged(1, 0.4)];
  const study = part([0.5, 0.4, 0.7, 0.5, 0.9], actions, [3, 1, 2, 0]);
  expect(momentsOf(study).map(({ at }) => at)).toEqual([3, 1, 2]);
});

test('accuracy is the mean of own decisions by their cost', () => {
  expect(accuracyOf([judged(0, 0), luck, judged(1, 0.5)], 0)).toBe(1);
  expect(accuracyOf([judged(0, 0), judged(0, 0.1)], 0)).toBeCloseTo((1 + 0.6065) / 2, 4);
  expect(accuracyOf([luck], 0)).toBeNull();
});

test('a try is the best action, as good, worse, or what was played', async () => {
  const board = { open: vi.fn(), play: vi.fn(), leave: vi.fn() };
  const action = judged(0, 0.3);
  const puzzle = new MomentPuzzle();
  await puzzle.begin(board, 4);
  expect(board.open).toHaveBeenLastCalledWith(4);
  expect(puzzle.hiding).toBe(true);
  expect(puzzle.tries('played', action)).toBe(false);
  expect(puzzle.status).toBe('same');
  await puzzle.again(board);
  expect(puzzle.tries('other', action)).toBe(true);
  puzzle.judge('other', action, 0.2);
  expect(puzzle.status).toBe('worse');
  await puzzle.again(board);
  puzzle.tries('third', action);
  puzzle.judge('other', action, 0);
  expect(puzzle.status).toBe('checking');
  puzzle.judge('third', action, 0.01);
  expect([puzzle.status, puzzle.hiding, puzzle.found.has(4)]).toEqual(['found', false, true]);
  await puzzle.begin(board, 6);
  await puzzle.show(board, action);
  expect(board.play).toHaveBeenLastCalledWith(6, 'better');
  expect([puzzle.status, puzzle.found.has(6)]).toEqual(['shown', false]);
  puzzle.leave(board);
  expect(board.leave).toHaveBeenCalledOnce();
});

test('of mistakes too close for their marks only the costliest is marked', () => {
  const actions = [0.1, 0.5, 0, 0.1, 0.2].map((cost) =>
    judged(0, cost, { grade: cost > 0 ? 'mistake' : 'good' }),
  );
  expect(markedMistakes(actions, 2)).toEqual([1, 4]);
  expect(markedMistakes(actions, 1)).toEqual([1, 4, 0, 3]);
});
