import { expect, test } from 'vitest';
import { applyPatch, type Patch } from '../../src/lib/api/patch';

const before = {
  seq: 1,
  acting: 0,
  view: { areas: [{ id: 'a', cells: ['x', 'y', 'z'] }], pieces: [] },
  log: [1, 2],
};

test.each<[string, Patch, unknown]>([
  ['a value', { acting: [null] }, { ...before, acting: null }],
  [
    'an item of a list',
    { view: { areas: { '0': { cells: { '1': ['Y'] } } } } },
    { ...before, view: { areas: [{ id: 'a', cells: ['x', 'Y', 'z'] }], pieces: [] } },
  ],
  ['a longer list', { log: { length: 3, '2': [3] } }, { ...before, log: [1, 2, 3] }],
  ['a shorter list', { log: { length: 1 } }, { ...before, log: [1] }],
  ['a new list', { view: { pieces: [['p']] } }, { ...before, view: { ...before.view, pieces: ['p'] } }],
  ['a new member', { next: ['m'] }, { ...before, next: 'm' }],
  ['a member of that name', { view: { length: [2] } }, { ...before, view: { ...before.view, length: 2 } }],
])('applies %s', (_, change, after) => {
  const kept = structuredClone(before);
  expect(applyPatch(before, change)).toEqual(after);
  expect(before).toEqual(kept);
});

test('unchanged parts stay the same objects', () => {
  const after = applyPatch(before, { seq: [2] });
  expect(after.view).toBe(before.view);
});
