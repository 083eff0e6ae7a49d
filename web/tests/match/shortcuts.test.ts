import { expect, test } from 'vitest';
import { assignShortcuts } from '../../src/lib/match/shortcuts';
import { action } from '../fixtures';

const given = (...all: [string, string][]) =>
  [...assignShortcuts(all.map(([kind, token]) => action(token, [], { kind })))].map(([letter, { token }]) => [
    token,
    letter,
  ]);

test('an action gets the first free letter of its kind', () => {
  expect(given(['draw', '1'], ['draw', '2'], ['end', '3'])).toEqual([
    ['1', 'd'],
    ['2', 'a'],
    ['3', 'e'],
  ]);
});

test('the letters of the page are never assigned', () => {
  expect(given(['pass', '-'])).toEqual([['-', 'a']]);
  const many = given(...Array.from({ length: 30 }, (_, n): [string, string] => ['x', String(n)]));
  expect(many).toHaveLength(16);
  for (const [, letter] of many) expect('bchimpruwz').not.toContain(letter);
});
