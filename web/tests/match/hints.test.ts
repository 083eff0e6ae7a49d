import { expect, test } from 'vitest';
import { Hints } from '../../src/lib/match/hints.svelte';
import type { Text } from '../../src/lib/api/view';
import { action, snapshot, view } from '../fixtures';

const t = ({ key }: Text) => key;

test('the second stage of a hint names its place for those who do not see it', async () => {
  const hints = new Hints({ hint: () => Promise.resolve({ seq: 1, token: 'a', move: null, reasons: [] }) });
  const others = [action('b', ['1,0']), action('c', ['0,1'], { kind: 'chip' })];
  const now = snapshot(1, { view: view({ actions: [action('a', ['0,0', '1,0']), ...others] }) });
  await hints.next(now);
  expect(hints.cells).toEqual([]);
  await hints.next(now);
  expect(hints.cells).toEqual(['0,0', '1,0']);
  expect(hints.words(t, 'hex 0,0').join()).toContain('hex 0,0');
  expect(hints.words(t).join()).not.toContain('hex');
});

test('a stage that rules nothing out is skipped', async () => {
  const hints = new Hints({ hint: () => Promise.resolve({ seq: 1, token: 'a', move: null, reasons: [] }) });
  const actions = [action('a', ['0,0']), action('b', ['1,0'])];
  await hints.next(snapshot(1, { view: view({ actions }) }));
  // All are of one kind: the place comes first.
  expect(hints.stage).toBe(2);
  expect(hints.cells).toEqual(['0,0']);
  hints.reset();
  const buttons = [action('a', [], { kind: 'pass' }), action('b', ['1,0'])];
  await hints.next(snapshot(1, { view: view({ actions: buttons }) }));
  expect(hints.stage).toBe(1);
  await hints.next(snapshot(1, { view: view({ actions: buttons }) }));
  expect(hints.isLast).toBe(true);
});
