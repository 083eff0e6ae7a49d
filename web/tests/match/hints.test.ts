import { expect, test } from 'vitest';
import { Hints } from '../../src/lib/match/hints.svelte';
import type { Text } from '../../src/lib/api/view';
import { action, snapshot, view } from '../fixtures';

const t = ({ key }: Text) => key;

test('the second stage of a hint names its place for those who do not see it', async () => {
  const hints = new Hints({ hint: () => Promise.resolve({ seq: 1, token: 'a', reasons: [] }) });
  const now = snapshot(1, { view: view({ actions: [action('a', ['0,0', '1,0'])] }) });
  await hints.next(now);
  expect(hints.cells).toEqual([]);
  await hints.next(now);
  expect(hints.cells).toEqual(['0,0', '1,0']);
  expect(hints.words(t, 'hex 0,0').join()).toContain('hex 0,0');
  expect(hints.words(t).join()).not.toContain('hex');
});
