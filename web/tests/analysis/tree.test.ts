import { expect, test } from 'vitest';
import {
  setMainLine,
  nodeAt,
  pathOf,
  recordOf,
  splitComments,
  treeOf,
} from '../../src/lib/analysis/tree.svelte';
import type { CoreNode } from '../../src/lib/core/types';

const node = (parent: number | null, token: string, more: Partial<CoreNode> = {}): CoreNode => ({
  parent,
  token,
  seat: 0,
  turn: 1,
  label: { key: 'action' },
  move: null,
  events: [],
  comments: [],
  ...more,
});

/** 1. a b (c d) 2. e, where c is a good idea. */
const read = () =>
  treeOf({
    game: 'test',
    options: { size: '3' },
    position: null,
    tags: [
      ['Game', 'test'],
      ['Result', '1 -1'],
      ['Event', 'club'],
    ],
    comments: ['first', 'second'],
    nodes: [
      node(null, 'a'),
      node(0, 'b'),
      node(0, 'c', { comments: ['! good idea', 'or\n\nnot'] }),
      node(2, 'd', { seat: 1, turn: 2 }),
      node(1, 'e', { seat: 1, turn: 2, comments: ['??'] }),
    ],
    faults: [],
  });

test('a record becomes a tree, and the tree a record', () => {
  const tree = read();
  if (!tree) throw new Error('no tree');
  expect(tree.root.rest.map(({ entry }) => entry?.token)).toEqual(['a', 'b', 'e']);
  const [, c] = tree.root.children[0]?.children ?? [];
  expect(c).toMatchObject({ mark: '!', comment: 'good idea\nor\n\nnot', main: false });
  expect(c?.line).toEqual(['a', 'c']);
  const record = recordOf(tree, '2');
  // The result may no longer hold.
  expect(record.tags).toEqual([
    ['Game', 'test'],
    ['Options', 'size=3'],
    ['Rules', '2'],
    ['Event', 'club'],
  ]);
  expect(record.comments).toEqual(['first\nsecond']);
  expect(record.line.map(({ token, comments }) => [token, ...comments])).toEqual([['a'], ['b'], ['e', '??']]);
  expect(record.line[1]?.variations).toMatchObject([
    {
      line: [
        { token: 'c', comments: ['!', 'good idea\nor\n\nnot'] },
        { token: 'd', comments: [] },
      ],
    },
  ]);
});

test('a path leads to its node, or as far as there are nodes', () => {
  const tree = read();
  if (!tree) throw new Error('no tree');
  const d = nodeAt(tree, [0, 1, 0]);
  expect(d.entry?.token).toBe('d');
  expect(pathOf(d)).toEqual([0, 1, 0]);
  expect(nodeAt(tree, [0, 5, 0]).entry?.token).toBe('a');
});

test('a variation becomes the main line, and a deleted action takes its line along', () => {
  const tree = read();
  if (!tree) throw new Error('no tree');
  const d = nodeAt(tree, [0, 1, 0]);
  d.promote();
  expect(tree.root.rest.map(({ entry }) => entry?.token)).toEqual(['a', 'c', 'd']);
  expect(d.main).toBe(true);
  d.parent?.remove();
  expect(tree.root.rest.map(({ entry }) => entry?.token)).toEqual(['a', 'b', 'e']);
});

test('rules of another version are a tag, not an option', () => {
  const tree = read();
  if (!tree) throw new Error('no tree');
  tree.options = { size: '3', rules_version: '1' };
  const { tags } = recordOf(tree, '2');
  expect(tags).toContainEqual(['Rules', '1']);
  expect(tags).toContainEqual(['Options', 'size=3']);
});

test('marks begin a comment, and braces cannot end it', () => {
  expect(splitComments(['!? a try'])).toEqual({ mark: '!?', comment: 'a try' });
  expect(splitComments(['??', '\n two  lines\n'])).toEqual({ mark: '??', comment: '\n two  lines\n' });
  expect(splitComments(['!important'])).toEqual({ mark: '', comment: '!important' });
  expect(splitComments([])).toEqual({ mark: '', comment: '' });
  const { root } = read() ?? {};
  root?.setComment('a {b} c');
  expect(root?.comment).toBe('a (b) c');
});

test('the line of a game that has continued, or taken another course, becomes the main line', () => {
  const line = (...tokens: string[]) =>
    treeOf({
      game: 'test',
      nodes: tokens.map((token, at) => node(at === 0 ? null : at - 1, token)),
      faults: [],
    });
  const kept = line('a', 'b');
  const [same, longer, other] = [line('a'), line('a', 'b', 'c'), line('a', 'x')];
  if (!kept || !same || !longer || !other) throw new Error('no tree');
  const main = () => kept.root.rest.map(({ entry }) => entry?.token).join(' ');
  expect(setMainLine(kept, same)).toBe(false);
  expect(setMainLine(kept, longer)).toBe(true);
  expect(main()).toBe('a b c');
  expect(setMainLine(kept, other)).toBe(true);
  expect(main()).toBe('a x');
  expect(kept.root.children[0]?.child('b')?.rest.length).toBe(1);
  // The known line is played again.
  expect(setMainLine(kept, longer)).toBe(true);
  expect(main()).toBe('a b c');
  expect(setMainLine(kept, longer)).toBe(false);
});
