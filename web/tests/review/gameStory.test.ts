import { expect, test } from 'vitest';
import { CoreClient } from '../../src/lib/core/client';
import {
  coarseFirst,
  GameStory,
  hasStory,
  largestChange,
  partOf,
  sampledPlies,
  sharesOf,
} from '../../src/lib/review/gameStory.svelte';
import type { Snapshot } from '../../src/lib/api/types';
import { entry, snapshot, view } from '../fixtures';

const game = (turns: number) =>
  Array.from({ length: 2 * turns }, (_, at) => entry(at, 1 + Math.floor(at / 2), Math.floor(at / 2) % 2));

test('positions between turns are sampled, fewer in a long game', () => {
  expect(sampledPlies(game(3))).toEqual([0, 2, 4, 6]);
  expect(sampledPlies(game(200)).length).toBeLessThanOrEqual(42);
  expect(sampledPlies(game(200)).at(-1)).toBe(400);
});

test('every place comes once, from coarse to fine', () => {
  expect(coarseFirst(5)).toEqual([0, 4, 2, 1, 3]);
  expect(coarseFirst(0)).toEqual([]);
});

test('a draw is shared by all', () => {
  expect(sharesOf([], 2)).toEqual([0.5, 0.5]);
  expect(sharesOf([1], 3)).toEqual([0, 1, 0]);
});

test('positions between known ones are in between, and the largest change is the turning point', () => {
  const shares = new Map([
    [0, [0.5, 0.5]],
    [2, [0.6, 0.4]],
    [4, [0, 1]],
  ]);
  expect(partOf(shares, 4, null).positions[1]?.shares[0]).toBeCloseTo(0.55);
  expect(largestChange(shares)).toEqual([2, 4]);
  expect(
    largestChange(
      new Map([
        [0, [0.5, 0.5]],
        [1, [0.52, 0.48]],
      ]),
    ),
  ).toBeNull();
});

const over = (log: Snapshot['log'], match: string): Snapshot => ({
  ...snapshot(log.length, {
    view: view({
      outcome: {
        winners: [1],
        reason: 'won',
        text: { key: 'won' },
        returns: [-1, 1],
        decisive: { cells: [], lines: [] },
      },
    }),
  }),
  log,
  match,
  options: {},
  result: { winners: [1], reason: 'won', text: null, loser: null } as unknown as Snapshot['result'],
});

test('an aborted or very short game has no story', () => {
  expect(hasStory(over(game(1), 'a'))).toBe(false);
  expect(hasStory(over(game(4), 'a'))).toBe(true);
});

/** A core that gives seat 0 all until the sixth action. */
const client = () => {
  const worker = {
    onmessage: null as ((event: MessageEvent) => void) | null,
    onerror: null,
    terminate: () => undefined,
    postMessage: (message: { id: number; request: { line: string[] } }) => {
      const shares = message.request.line.length < 6 ? [0.9, 0.1] : [0.1, 0.9];
      queueMicrotask(() => worker.onmessage?.({ data: { id: message.id, ok: { shares } } } as MessageEvent));
    },
  };
  return new CoreClient(() => worker as never);
};

test('the turning point is found between two samples', async () => {
  const story = new GameStory(client);
  await story.tell(over(game(4), 'b'));
  expect(story.part?.decisive).toEqual([5]);
  expect(story.part?.positions).toHaveLength(9);
  expect(story.running).toBe(false);
});

test('without a core there is no story', async () => {
  const story = new GameStory(
    () =>
      new CoreClient(() => {
        throw new Error('no workers');
      }),
  );
  await story.tell(over(game(4), 'c'));
  expect(story.failed).toBe(true);
});
