import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { percent, Review, type Table } from '../../src/lib/review/review.svelte';
import type { Analysis, LogEntry, StudyPart } from '../../src/lib/api/types';
import { action, entry, snapshot, view } from '../fixtures';

const LENGTH = 4;
const log = (count: number): LogEntry[] =>
  Array.from({ length: count }, (_, number) => entry(number + 1, number + 1, number % 2));
const then = (place: number) =>
  snapshot(LENGTH, {
    log: log(place),
    status: place === LENGTH ? 'over' : 'playing',
    view: view({ actions: place === LENGTH ? [] : [action('a', ['0,0']), action('b', ['1,0'])] }),
  });
const worth = (share: number) => ({ shares: [share, 1 - share], margins: [0.01, 0.01], certain: null });
const line = (token: string, share: number) => ({
  action: token,
  visits: 9,
  variation: [token],
  proven: false,
  ...worth(share),
});
const thought = (place: number, seconds: number, final = false): Analysis => ({
  place,
  line: [],
  seconds,
  final,
  position: {
    ...worth(0.6),
    to_act: 0,
    nodes: 10,
    lines: [line('b', 0.6), line('gone', 0.5), line('a', 0.4)],
  },
});
const part = (first: number, count: number): StudyPart => ({
  first,
  length: LENGTH,
  positions: Array.from({ length: count }, () => worth(0.5)),
  actions: [],
  balances: [],
  decisive: [],
});

const table = {
  then: vi.fn<Table['then']>(),
  analyse: vi.fn<Table['analyse']>(),
  leave: vi.fn<Table['leave']>(),
  back: vi.fn<Table['back']>(),
  show: vi.fn<Table['show']>(),
  tell: vi.fn<Table['tell']>(),
};
let review: Review;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  table.then.mockImplementation((place) => Promise.resolve(then(place)));
  review = new Review(table);
  review.open(then(LENGTH));
});

afterEach(() => vi.useRealTimers());

const settle = () => vi.runAllTimersAsync();

test('one goes to and fro between the ends, and no further', async () => {
  review.go(99);
  expect(review.place).toBe(LENGTH);
  review.go(-3);
  await settle();
  expect(review.place).toBe(0);
  expect(table.show).toHaveBeenLastCalledWith(then(0), false);
  review.go(1);
  await settle();
  expect(table.show).toHaveBeenLastCalledWith(then(1), true);
  review.close();
  expect(table.back).toHaveBeenCalledOnce();
});

test('a position is asked for once, and one that comes too late is not shown', async () => {
  await settle();
  table.show.mockClear();
  review.go(1);
  review.go(2);
  await settle();
  expect(table.show.mock.calls.map(([shown]) => shown.log.length)).toEqual([2]);
  review.go(1);
  await settle();
  expect(table.then.mock.calls.map(([place]) => place)).toEqual([LENGTH, 1, 2]);
});

test('where the match was ended but not the game, the last position has its best actions', async () => {
  table.then.mockImplementation((place) => Promise.resolve({ ...then(1), log: log(place) }));
  review.open(then(LENGTH));
  review.think(true);
  await settle();
  review.hear(thought(LENGTH, 1));
  expect(review.best.map(({ line }) => line.action)).toEqual(['b', 'a']);
  review.close();
  expect(table.back).toHaveBeenCalledOnce();
});

test('nothing is thought until it is asked for, and then only about where one stays', async () => {
  review.go(3);
  await settle();
  expect(table.analyse).not.toHaveBeenCalledWith(3, []);
  review.think(true);
  review.go(2);
  review.go(1);
  await settle();
  expect(table.analyse.mock.calls).toEqual([[1, []]]);
  review.close();
  expect(table.analyse).toHaveBeenLastCalledWith(null, []);
});

test('thoughts of another position are passed over; the best actions are those that there are', async () => {
  review.think(true);
  review.go(1);
  await settle();
  review.hear(thought(3, 1));
  expect(review.worth).toBeNull();
  review.hear(thought(1, 0.1));
  expect(review.worth?.shares[0]).toBe(0.6);
  expect(review.best.map(({ rank, action: { token } }) => [rank, token])).toEqual([
    [1, 'b'],
    [3, 'a'],
  ]);
  // What is much worse is not shown on the board, unless it is looked at.
  expect(review.marked.map(({ rank }) => rank)).toEqual([1]);
  review.picked = 'a';
  expect(review.marked.map(({ rank }) => rank)).toEqual([3]);
});

test('an action that was not looked at, as another wins for certain, is not among the best', async () => {
  review.think(true);
  review.go(1);
  await settle();
  const sure = thought(1, 1);
  sure.position.lines = [
    { ...line('b', 1), visits: 0, proven: true },
    { ...line('a', 0.5), visits: 0 },
  ];
  review.hear(sure);
  expect(review.best.map(({ line }) => line.action)).toEqual(['b']);
});

test('what is tried out is analysed, and given up by going elsewhere', async () => {
  review.think(true);
  review.go(1);
  await settle();
  review.hear(thought(1, 1));
  const tried = snapshot(LENGTH, { log: log(2), view: view({ actions: [action('b', ['1,0'])] }) });
  review.tried(tried, ['x']);
  expect(review.worth).toBeNull();
  await settle();
  expect(table.analyse).toHaveBeenLastCalledWith(1, ['x']);
  // Of the position of the match: too late.
  review.hear(thought(1, 2));
  expect(review.worth).toBeNull();
  review.hear({ ...thought(1, 1), line: ['x'] });
  expect(review.best.map(({ action: { token } }) => token)).toEqual(['b']);
  table.leave.mockImplementation(() => review.tried(null, []));
  review.go(2);
  expect(table.leave).toHaveBeenCalled();
  await settle();
  expect(table.analyse).toHaveBeenLastCalledWith(2, []);
  expect(table.show).toHaveBeenLastCalledWith(then(2), true);
});

test('a position is told of once, when it has been thought about for a while', async () => {
  review.think(true);
  review.go(1);
  await settle();
  review.hear(thought(1, 0.1));
  expect(table.tell).not.toHaveBeenCalled();
  review.hear(thought(1, 0.7));
  review.hear(thought(1, 1.5, true));
  expect(table.tell).toHaveBeenCalledTimes(1);
});

test('the study grows, and begins anew where it does not fit', () => {
  review.learn(part(0, 2));
  review.learn(part(2, 1));
  expect(review.study?.positions.length).toBe(3);
  review.learn(part(7, 1));
  expect(review.study?.positions.length).toBe(3);
  review.learn(part(0, 1));
  expect(review.study?.positions.length).toBe(1);
});

test('what the study knows stands in until the thought comes', async () => {
  review.think(true);
  review.learn(part(0, 5));
  review.go(2);
  await settle();
  expect(review.worth?.shares).toEqual([0.5, 0.5]);
});

test('a refusal ends the analysis and says why', () => {
  review.think(true);
  review.refuse({ code: 'thought-enough', params: {}, message: '' });
  expect(review.thinking).toBe(false);
  expect(review.problem?.code).toBe('thought-enough');
  review.think(true);
  expect(review.problem).toBeNull();
});

test('shares are said in whole percent', () => {
  expect([0.004, 0.5, 0.996].map(percent)).toEqual([0, 50, 100]);
});
