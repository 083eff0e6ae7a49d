import { expect, test } from 'vitest';
import { LineStudy } from '../../src/lib/analysis/lineStudy.svelte';
import { treeOf } from '../../src/lib/analysis/tree.svelte';
import { analysisOf, parseQuery } from '../../src/lib/analysis/links';
import type { CoreClient } from '../../src/lib/core/client';

/** A core whose answers the test gives one by one. */
function core() {
  const asked: { name: string; request: Record<string, unknown> }[] = [];
  const waiting: ((answer: unknown) => void)[] = [];
  const client = {
    ask: (name: string, request: Record<string, unknown>) => {
      asked.push({ name, request });
      if (name === 'summarize') return Promise.resolve({ balances: [], decisive: [] });
      return new Promise((resolve) => waiting.push(resolve));
    },
    close: () => undefined,
  };
  return {
    asked,
    client: client as unknown as CoreClient,
    /** Answers the oldest request. */
    answer: async (answer: unknown) => {
      waiting.shift()?.(answer);
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

const value = (share: number) => ({
  shares: [share, 1 - share],
  margins: [0, 0],
  lines: [
    { action: 'a', shares: [share, 1 - share], margins: [], visits: 1, variation: ['a'], proven: false },
  ],
  certain: null,
  nodes: 1,
});

function tree(game: string) {
  const entry = { seat: 0, turn: 1, label: null, move: null, events: [], comments: [] };
  const made = treeOf({
    game,
    nodes: [
      { ...entry, parent: null, token: 'a' },
      { ...entry, parent: 0, token: 'b' },
    ],
    faults: [],
  });
  if (!made) throw new Error('no tree');
  return made;
}

test('the core evaluates the first position and judges every action with the value before it', async () => {
  const { asked, client, answer } = core();
  const study = new LineStudy(() => client);
  const line = tree('one');
  const run = study.run(line);
  expect(study.running).toBe(true);
  await answer(value(0.5));
  expect(study.part).toMatchObject({ length: 2, positions: [{ shares: [0.5, 0.5] }], actions: [] });
  const judged = (token: string) => ({ token, cost: 0.1, grade: 'mistake' });
  await answer({ action: judged('a'), after: value(0.6) });
  await answer({ action: judged('b'), after: value(0.7) });
  await run;
  expect(study.running).toBe(false);
  expect(study.complete).toBe(true);
  const steps = asked.filter(({ name }) => name !== 'summarize');
  expect(steps.map(({ name }) => name)).toEqual(['evaluate', 'judge', 'judge']);
  expect(steps[2]?.request).toMatchObject({ line: ['a'], token: 'b', before: { shares: [0.6, 0.4] } });
  const [first] = line.root.rest;
  expect(first && study.judged(first)).toMatchObject({ token: 'a' });
  // A second review asks for nothing that is known.
  const again = core();
  await new LineStudy(() => again.client).run(line);
  expect(again.asked.every(({ name }) => name === 'summarize')).toBe(true);
});

test('a proof of a longer search takes the place of the estimate', async () => {
  const { client, answer } = core();
  const study = new LineStudy(() => client);
  const line = tree('proven');
  const run = study.run(line);
  await answer(value(0.5));
  const judged = { seat: 0, best: 'c', cost: 0.3, grade: 'blunder', effect: [-0.3, 0.3] };
  await answer({ action: { ...judged, token: 'a' }, after: value(0.2) });
  await answer({ action: { ...judged, token: 'b' }, after: value(0.1) });
  await run;
  const certain = { winners: [1], actions: 4, turns: null };
  study.prove(line.root, { to_act: 0, shares: [0, 1], margins: [0, 0], certain, lines: [] });
  expect(study.part?.positions[0]?.shares).toEqual([0, 1]);
  const [first] = line.root.rest;
  expect(first && study.judged(first)).toMatchObject({ best: 'a', cost: 0, grade: 'good' });
});

test('a stopped review keeps what it knows', async () => {
  const { client, answer } = core();
  const study = new LineStudy(() => client);
  const line = tree('two');
  void study.run(line);
  await answer(value(0.5));
  study.stop();
  await answer({ action: { token: 'a' }, after: value(0.6) });
  expect(study.running).toBe(false);
  expect(study.complete).toBe(false);
  expect(study.part?.positions).toHaveLength(1);
});

test('the analysis of a game on this device begins with its review', () => {
  const asked = (match: string) => parseQuery(analysisOf(match).query);
  expect(asked('device-1')).toEqual({ what: 'match', match: 'device-1', ply: null, review: true });
  expect(asked('m')).toMatchObject({ match: 'm', review: false });
});
