import { beforeEach, expect, test, vi } from 'vitest';
import { keptOf } from '../../src/lib/match/fairness';
import { Contributions } from '../../src/lib/match/contributions';
import type { Command, Problem, Snapshot } from '../../src/lib/api/types';
import { snapshot, stubStorage } from '../fixtures';

const COMMITMENT = 'ab'.repeat(32);
const problem = (code: string): Problem => ({ code, params: {}, message: '' });

let sent: Command[];
let contributions: Contributions;

beforeEach(() => {
  stubStorage();
  sent = [];
  contributions = new Contributions('m', (command) => sent.push(command));
});

/** A match of three seats; the first and the last are ours. */
const picture = (awaited: number[], more: Partial<Snapshot> = {}): Snapshot =>
  snapshot(1, {
    seats: [0, 1, 2].map((seat) => ({ seat, kind: 'person', name: '', yours: seat !== 1, open: false })),
    chance: { commitment: COMMITMENT, awaited, seed: null, contributions: null },
    ...more,
  });

test('each own seat contributes once, and only when asked', () => {
  contributions.follow(picture([]));
  expect(sent).toEqual([]);
  contributions.follow(picture([0, 1, 2]));
  contributions.follow(picture([1, 2]));
  expect(sent.map((command) => command.seat)).toEqual([0, 2]);
  expect(
    sent.every((command) => command.do === 'contribute' && /^[0-9a-f]{64}$/.test(command.token ?? '')),
  ).toBe(true);
  expect(keptOf('m')).toEqual({
    match: 'm',
    commitment: COMMITMENT,
    contributions: { 0: sent[0]?.token, 2: sent[1]?.token },
  });
});

test('after a reload the same contribution is sent under the same id', () => {
  contributions.follow(picture([0]));
  new Contributions('m', (command) => sent.push(command)).follow(picture([0]));
  expect(sent[1]).toEqual(sent[0]);
});

test('nothing is stored or sent without a commitment', () => {
  contributions.follow(picture([], { chance: null }));
  contributions.follow(picture([0], { status: 'over' }));
  expect(sent).toEqual([]);
  expect(keptOf('m')).toBeNull();
});

test('a browser that was not first at a seat stores no contribution', () => {
  contributions.follow(picture([0, 2]));
  expect(contributions.refused('another', problem('not-awaited'))).toBe(false);
  expect(contributions.refused(sent[0]?.id ?? '', problem('not-awaited'))).toBe(true);
  expect(Object.keys(keptOf('m')?.contributions ?? {})).toEqual(['2']);
});

test('a storage error is reported, and the contribution is sent again', () => {
  vi.useFakeTimers();
  contributions.follow(picture([0]));
  expect(contributions.refused(sent[0]?.id ?? '', problem('storage'))).toBe(false);
  contributions.follow(picture([0]));
  expect(sent).toHaveLength(1);
  vi.advanceTimersByTime(2500);
  contributions.follow(picture([0]));
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  vi.useRealTimers();
});
