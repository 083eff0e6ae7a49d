import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BLUNDER, decisive, judge, meanOf, MISTAKE, type Value } from '../../src/lib/analysis/judge';

const worth = (share: number, more: Partial<Value> = {}): Value => ({
  shares: [share, 1 - share],
  margins: [0.01, 0.01],
  lines: [],
  winners: null,
  ...more,
});
const line = (action: string, share: number) => ({ action, shares: [share, 1 - share], proven: false });
const before = worth(0.6, { lines: [line('best', 0.6), line('other', 0.5)] });
const played = (after: number, instead: number, token = 'other') =>
  judge({ seat: 0, turn: 1, token, before, after: worth(after), instead: worth(instead) });

test('the thresholds are those of the server', () => {
  const source = readFileSync(new URL('../../../python/tavola/analysis/analyse.py', import.meta.url), 'utf8');
  const value = (name: string) => Number(new RegExp(`^${name} = ([\\d.]+)$`, 'm').exec(source)?.[1]);
  expect([MISTAKE, BLUNDER]).toEqual([value('MISTAKE'), value('BLUNDER')]);
});

test('the cost of an action is its distance from the best one, beyond the margin', () => {
  expect(judge({ seat: 0, turn: 1, token: 'best', before, after: worth(0.4), instead: null })).toMatchObject({
    grade: 'best',
    cost: 0,
  });
  expect(played(0.595, 0.6)).toMatchObject({ grade: 'good', cost: 0, best: 'best' });
  expect(played(0.5, 0.6)).toMatchObject({ grade: 'mistake', best: 'best' });
  expect(played(0.5, 0.6).cost).toBeCloseTo(0.1);
  expect(played(0.3, 0.6)).toMatchObject({ grade: 'blunder' });
  // Better than the search expected.
  expect(played(0.7, 0.6)).toMatchObject({ grade: 'best', best: 'other', cost: 0 });
});

test('chance is luck, not a mistake', () => {
  const mean = meanOf([worth(0.9), worth(0.3)], [0.25, 0.75], ['x', 'y']);
  expect(mean.shares[0]).toBeCloseTo(0.45);
  expect(mean.margins[0]).toBeCloseTo(Math.hypot(0.0025, 0.0075));
  const drawn = judge({ seat: -1, turn: 1, token: 'x', before: mean, after: worth(0.9), instead: null });
  expect(drawn).toMatchObject({ grade: null, cost: 0 });
  expect(drawn.effect[0]).toBeCloseTo(0.45);
});

test('outcomes with the same winner prove the result', () => {
  const won = worth(1, { winners: [0] });
  expect(meanOf([won, won], [0.5, 0.5], ['x', 'y']).winners).toEqual([0]);
  expect(meanOf([won, worth(0.5)], [0.5, 0.5], ['x', 'y']).winners).toBeNull();
});

test('decisive actions change the shares most', () => {
  expect(decisive([worth(0.5), worth(0.55), worth(0.9), worth(0.7)])).toEqual([1, 2]);
});
