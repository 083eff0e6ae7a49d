import { describe, expect, test } from 'vitest';
import { nearestRotation, offer, press, rotations, touch } from '../../src/lib/match/selection';
import { action } from '../fixtures';

const walkA = action('Pa', ['a']);
const walkB = action('Pb', ['b']);
const chipA = action('Ca', ['own', 'a']);
const chipC = action('Cc', ['own', 'c']);
const pass = action('pass', []);
const all = [walkA, walkB, chipA, chipC, pass];

describe('options', () => {
  test('at first every beginning, and buttons', () => {
    const { next, buttons } = offer(all, []);
    expect([...next.keys()]).toEqual(['a', 'b', 'own']);
    expect(next.get('own')).toEqual([chipA, chipC]);
    expect(buttons).toEqual([pass]);
  });

  test('after a selection only its continuations', () => {
    const { next, actions } = offer(all, ['own']);
    expect([...next.keys()]).toEqual(['a', 'c']);
    expect(actions).toEqual([chipA, chipC]);
  });
});

describe('a selection', () => {
  test('plays the one action that it completes', () => {
    expect(touch(all, [], 'a')).toEqual({ kind: 'play', touched: [], action: walkA });
    expect(touch(all, ['own'], 'c')).toEqual({ kind: 'play', touched: [], action: chipC });
  });

  test('never plays an incomplete action', () => {
    expect(touch([chipA], [], 'own')).toEqual({ kind: 'more', touched: ['own'] });
  });

  test('of the same cell again deselects it', () => {
    expect(touch(all, ['own'], 'own')).toEqual({ kind: 'back', touched: [] });
  });

  test('of a cell twice in a row is an action if there is one', () => {
    const twice = action('x', ['own', 'own']);
    expect(touch([...all, twice], ['own'], 'own')).toEqual({ kind: 'play', touched: [], action: twice });
  });

  test('of an impossible cell is rejected, and the selection stays', () => {
    expect(touch(all, [], 'nowhere')).toEqual({
      kind: 'refused',
      touched: [],
      tried: ['nowhere'],
      rotation: null,
    });
    expect(touch(all, ['own'], 'nowhere')).toEqual({
      kind: 'refused',
      touched: ['own'],
      tried: ['own', 'nowhere'],
      rotation: null,
    });
  });

  test('that would play another action at once is rejected', () => {
    expect(touch(all, ['own'], 'b')).toEqual({
      kind: 'refused',
      touched: ['own'],
      tried: ['own', 'b'],
      rotation: null,
    });
  });

  test('of another beginning starts over there', () => {
    const other = action('Da', ['other', 'a']);
    expect(touch([...all, other], ['own'], 'other')).toEqual({ kind: 'more', touched: ['other'] });
  });

  test('asks where several actions have the same touches', () => {
    const left = action('a-left', ['a']);
    expect(touch([walkA, left], [], 'a')).toEqual({ kind: 'ask', touched: ['a'], actions: [walkA, left] });
  });

  test('asks where an action ends and others go on', () => {
    const farther = action('far', ['a', 'b']);
    expect(touch([walkA, farther], [], 'a')).toEqual({ kind: 'ask', touched: ['a'], actions: [walkA] });
    expect(touch([walkA, farther], ['a'], 'b')).toMatchObject({ kind: 'play', action: farther });
  });

  test('asks before an action that cannot be undone', () => {
    const final = action('f', ['a'], { warning: { key: 'warn' } });
    expect(touch([final], [], 'a')).toEqual({ kind: 'ask', touched: ['a'], actions: [final] });
  });
});

describe('an action whose cells can be selected in any order', () => {
  const swap = action('a*b', ['a', 'b'], { any_order: true });
  const walk = action('a-b', ['a', 'b']);
  const far = action('a*c', ['a', 'c'], { any_order: true });

  test('begins with any of them, and continues with the others', () => {
    const { next } = offer([swap, far], []);
    expect([...next]).toEqual([
      ['a', [swap, far]],
      ['b', [swap]],
      ['c', [far]],
    ]);
    expect([...offer([swap, far], ['b']).next]).toEqual([['a', [swap]]]);
    expect(touch([swap, far], ['b'], 'a')).toEqual({ kind: 'play', touched: [], action: swap });
  });

  test('asks where the order has another meaning too', () => {
    expect(touch([swap, walk], ['a'], 'b')).toEqual({
      kind: 'ask',
      touched: ['a', 'b'],
      actions: [swap, walk],
    });
    expect(touch([swap, walk], ['b'], 'a')).toEqual({ kind: 'play', touched: [], action: swap });
  });

  test('takes a cell as often as the touches contain it', () => {
    const one = action('m:k', ['mine', 'k'], { any_order: true });
    const pair = action('m:kk', ['mine', 'k', 'k'], { any_order: true });
    const mixed = action('m:nk', ['mine', 'n', 'k'], { any_order: true });
    const crews = [one, pair, mixed];
    expect([...offer(crews, ['k']).next]).toEqual([
      ['mine', crews],
      ['k', [pair]],
      ['n', [mixed]],
    ]);
    expect(touch(crews, ['k', 'mine'], 'k')).toEqual({ kind: 'play', touched: [], action: pair });
    // One crew is complete, and could grow.
    expect(touch(crews, ['mine'], 'k')).toEqual({ kind: 'ask', touched: ['mine', 'k'], actions: [one] });
    expect(touch(crews, ['mine', 'k'], 'n')).toEqual({ kind: 'play', touched: [], action: mixed });
    expect(touch(crews, ['mine'], 'mine')).toEqual({ kind: 'back', touched: [] });
  });

  test('does not take a cell twice', () => {
    expect(touch([swap], ['a'], 'a')).toEqual({ kind: 'back', touched: [] });
    expect(touch([swap], ['a'], 'c')).toEqual({
      kind: 'refused',
      touched: ['a'],
      tried: ['a', 'c'],
      rotation: null,
    });
  });
});

test('a button plays its action, or asks before one that cannot be undone', () => {
  expect(press(pass, ['own'])).toEqual({ kind: 'play', touched: [], action: pass });
  const final = action('f', [], { warning: { key: 'warn' } });
  expect(press(final, [])).toEqual({ kind: 'ask', touched: [], actions: [final] });
});

describe('a piece that can be rotated', () => {
  const lay = (cell: string, turn: number | null) =>
    action(`${cell}${turn}`, ['pile', cell], { turn, kind: 'tile' });
  const tiles = [lay('a', 0), lay('a', 90), lay('a', 180), lay('b', 90), action('move', ['own', 'a'])];

  test('is rotatable once the next selection decides its place', () => {
    expect(rotations(tiles, [])).toEqual([]);
    expect(rotations(tiles, ['pile'])).toEqual([0, 90, 180]);
    expect(rotations(tiles, ['pile', 'b'])).toEqual([90]);
    expect(rotations(tiles, ['own'])).toEqual([]);
    expect(rotations([action('x', ['a'], { turn: 90 })], [])).toEqual([90]);
  });

  test('keeps its rotation, or an equivalent one, or takes the first possible one', () => {
    expect(nearestRotation([0, 90, 180, 270], 270)).toBe(270);
    expect(nearestRotation([0, 90], 270)).toBe(90);
    expect(nearestRotation([90, 180], 0)).toBe(180);
    expect(nearestRotation([90], 0)).toBe(90);
    expect(nearestRotation([], 90)).toBeNull();
  });

  test('offers only the places where it fits in its rotation', () => {
    expect([...offer(tiles, ['pile'], 0).next.keys()]).toEqual(['a']);
    expect([...offer(tiles, ['pile'], 90).next.keys()]).toEqual(['a', 'b']);
    expect([...offer(tiles, [], 90).next.keys()]).toEqual(['pile', 'own']);
    expect([...offer([lay('a', null)], ['pile'], 90).next.keys()]).toEqual(['a']);
  });

  test('is played in its rotation', () => {
    expect(touch(tiles, ['pile'], 'a', 180)).toMatchObject({ kind: 'play', action: tiles[2] });
    expect(touch(tiles, ['pile'], 'a', 0)).toMatchObject({ kind: 'play', action: tiles[0] });
    expect(touch(tiles, ['pile'], 'b', 0)).toEqual({
      kind: 'refused',
      touched: ['pile'],
      tried: ['pile', 'b'],
      rotation: 0,
    });
  });
});
