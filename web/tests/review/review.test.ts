import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { percent, Review, type ReviewHost } from '../../src/lib/review/review.svelte';
import type { Analysis, LogEntry, ReviewPart } from '../../src/lib/api/types';
import { action, entry, snapshot, view } from '../fixtures';

const LENGTH = 4;
const log = (count: number): LogEntry[] =>
  Array.from({ length: count }, (_, number) => entry(number + 1, number + 1, number % 2));
const snapshotAt = (ply: number) =>
  snapshot(LENGTH, {
    log: log(ply),
    status: ply === LENGTH ? 'over' : 'playing',
    view: view({ actions: ply === LENGTH ? [] : [action('a', ['0,0']), action('b', ['1,0'])] }),
  });
const worth = (share: number) => ({ shares: [share, 1 - share], margins: [0.01, 0.01], certain: null });
const line = (token: string, share: number) => ({
  action: token,
  visits: 9,
  variation: [token],
  proven: false,
  ...worth(share),
});
const thought = (ply: number, seconds: number, final = false): Analysis => ({
  ply,
  line: [],
  seconds,
  final,
  position: {
    ...worth(0.6),
    text: '',
    turn: 1,
    to_act: 0,
    nodes: 10,
    lines: [line('b', 0.6), line('gone', 0.5), line('a', 0.4)],
  },
});
const part = (first: number, count: number): ReviewPart => ({
  first,
  length: LENGTH,
  positions: Array.from({ length: count }, () => worth(0.5)),
  actions: [],
  balances: [],
  decisive: [],
});

const host = {
  fetchPosition: vi.fn<ReviewHost['fetchPosition']>(),
  analyse: vi.fn<ReviewHost['analyse']>(),
  leaveVariation: vi.fn<ReviewHost['leaveVariation']>(),
  showCurrent: vi.fn<ReviewHost['showCurrent']>(),
  show: vi.fn<ReviewHost['show']>(),
  announce: vi.fn<ReviewHost['announce']>(),
};
let review: Review;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  host.fetchPosition.mockImplementation((ply) => Promise.resolve(snapshotAt(ply)));
  review = new Review(host);
  review.analysing = false;
  review.open(snapshotAt(LENGTH));
});

afterEach(() => vi.useRealTimers());

const settle = () => vi.runAllTimersAsync();

test('the review moves between both ends, and no further', async () => {
  review.go(99);
  expect(review.ply).toBe(LENGTH);
  review.go(-3);
  await settle();
  expect(review.ply).toBe(0);
  expect(host.show).toHaveBeenLastCalledWith(snapshotAt(0), false);
  review.go(1);
  await settle();
  expect(host.show).toHaveBeenLastCalledWith(snapshotAt(1), true);
  review.close();
  expect(host.showCurrent).toHaveBeenCalledOnce();
});

test('a position is fetched once, and a late one is not shown', async () => {
  await settle();
  host.show.mockClear();
  review.go(1);
  review.go(2);
  await settle();
  expect(host.show.mock.calls.map(([shown]) => shown.log.length)).toEqual([2]);
  review.go(1);
  await settle();
  expect(host.fetchPosition.mock.calls.map(([ply]) => ply)).toEqual([LENGTH, 1, 2]);
});

test('after a resignation the last position has its best moves', async () => {
  host.fetchPosition.mockImplementation((ply) => Promise.resolve({ ...snapshotAt(1), log: log(ply) }));
  review.open(snapshotAt(LENGTH));
  review.setAnalysing(true);
  await settle();
  review.onAnalysis(thought(LENGTH, 1));
  expect(review.best.map(({ line }) => line.action)).toEqual(['b', 'a']);
  review.close();
  expect(host.showCurrent).toHaveBeenCalledOnce();
});

test('the analysis starts on demand, and only for positions where the user stays', async () => {
  review.go(3);
  await settle();
  expect(host.analyse).not.toHaveBeenCalledWith(3, []);
  review.setAnalysing(true);
  review.go(2);
  review.go(1);
  await settle();
  expect(host.analyse.mock.calls).toEqual([[1, []]]);
  review.close();
  expect(host.analyse).toHaveBeenLastCalledWith(null, []);
});

test('analyses of other positions are ignored, and only possible moves are best moves', async () => {
  review.setAnalysing(true);
  review.go(1);
  await settle();
  review.onAnalysis(thought(3, 1));
  expect(review.evaluation).toBeNull();
  review.onAnalysis(thought(1, 0.1));
  expect(review.evaluation?.shares[0]).toBe(0.6);
  expect(review.best.map(({ rank, action: { token } }) => [rank, token])).toEqual([
    [1, 'b'],
    [3, 'a'],
  ]);
  // Much worse moves are not shown on the board, unless selected.
  expect(review.suggested.map(({ rank }) => rank)).toEqual([1]);
  review.selectedAction = 'a';
  expect(review.suggested.map(({ rank }) => rank)).toEqual([3]);
});

test('an unvisited move beside a forced win is not among the best', async () => {
  review.setAnalysing(true);
  review.go(1);
  await settle();
  const sure = thought(1, 1);
  sure.position.lines = [
    { ...line('b', 1), visits: 0, proven: true },
    { ...line('a', 0.5), visits: 0 },
  ];
  review.onAnalysis(sure);
  expect(review.best.map(({ line }) => line.action)).toEqual(['b']);
});

test('a variation is analysed, and closed by moving elsewhere', async () => {
  review.setAnalysing(true);
  review.go(1);
  await settle();
  review.onAnalysis(thought(1, 1));
  const tried = snapshot(LENGTH, { log: log(2), view: view({ actions: [action('b', ['1,0'])] }) });
  review.onVariation(tried, ['x']);
  expect(review.evaluation).toBeNull();
  await settle();
  expect(host.analyse).toHaveBeenLastCalledWith(1, ['x']);
  // For the position of the match: too late.
  review.onAnalysis(thought(1, 2));
  expect(review.evaluation).toBeNull();
  review.onAnalysis({ ...thought(1, 1), line: ['x'] });
  expect(review.best.map(({ action: { token } }) => token)).toEqual(['b']);
  host.leaveVariation.mockImplementation(() => review.onVariation(null, []));
  review.go(2);
  expect(host.leaveVariation).toHaveBeenCalled();
  await settle();
  expect(host.analyse).toHaveBeenLastCalledWith(2, []);
  expect(host.show).toHaveBeenLastCalledWith(snapshotAt(2), true);
});

test('a position is announced once, after some analysis', async () => {
  review.setAnalysing(true);
  review.go(1);
  await settle();
  review.onAnalysis(thought(1, 0.1));
  expect(host.announce).not.toHaveBeenCalled();
  review.onAnalysis(thought(1, 0.7));
  review.onAnalysis(thought(1, 1.5, true));
  expect(host.announce).toHaveBeenCalledTimes(1);
});

test('the analysis of a review starts by itself', async () => {
  review = new Review(host);
  review.open(snapshotAt(LENGTH));
  await settle();
  expect(host.analyse).toHaveBeenLastCalledWith(LENGTH, []);
});

test('a puzzle of a moment hides the best moves, and moving elsewhere ends it', async () => {
  review.setAnalysing(true);
  review.go(2);
  await settle();
  await review.puzzle.begin({ open: (at) => review.go(at), play: vi.fn(), leave: vi.fn() }, 1);
  await settle();
  review.onAnalysis(thought(1, 1));
  expect([review.ply, review.best]).toEqual([1, []]);
  review.go(3);
  expect(review.puzzle.at).toBeNull();
  await settle();
  review.onAnalysis(thought(3, 1));
  expect(review.best).not.toEqual([]);
});

test('review parts are appended, and a part that does not fit starts over', () => {
  review.onStudy(part(0, 2));
  review.onStudy(part(2, 1));
  expect(review.study?.positions.length).toBe(3);
  review.onStudy(part(7, 1));
  expect(review.study?.positions.length).toBe(3);
  review.onStudy(part(0, 1));
  expect(review.study?.positions.length).toBe(1);
});

test("the review's evaluation is shown until the analysis has one", async () => {
  review.setAnalysing(true);
  review.onStudy(part(0, 5));
  review.go(2);
  await settle();
  expect(review.evaluation?.shares).toEqual([0.5, 0.5]);
});

test('a rejection ends the analysis and shows why', () => {
  review.setAnalysing(true);
  review.onRejected({ code: 'analysis-limit', params: {}, message: '' });
  expect(review.analysing).toBe(false);
  expect(review.problem?.code).toBe('analysis-limit');
  review.setAnalysing(true);
  expect(review.problem).toBeNull();
});

test('shares are shown in whole percent', () => {
  expect([0.004, 0.5, 0.996].map(percent)).toEqual([0, 50, 100]);
});
