import { expect, test } from 'vitest';
import {
  describeAmount,
  describeCard,
  describeCell,
  describePosition,
  type Grammar,
} from '../../src/lib/board/describe';
import type { Card, Text } from '../../src/lib/api/view';
import { cell, hexes, mark, piece, view } from '../fixtures';

const t = ({ key, params }: Text) => (params ? `${key} ${Object.values(params).join(' ')}` : key);
const grammar: Grammar = {
  list: (parts) => parts.filter((part) => part !== '').join(', '),
  apart: (parts) => parts.join('; '),
  times: (count, what) => `${count} × ${what}`,
  labelled: (label, what) => `${label}: ${what}`,
};

const pieces = [
  piece('1', '0,0', 0),
  piece('2', '0,0', 1),
  piece('3', '0,0', 2, { label: { key: 'red chip' } }),
  piece('4', '0,0', 3, { label: { key: 'pawn' } }),
];

test('a cell is described with its pieces from the bottom up and its marks', () => {
  const marked = cell(0, 0, { marks: [mark('visited')] });
  expect(describeCell(marked, pieces, t, grammar)).toBe('cell 0,0, 2 × chip, red chip, pawn, visited');
  expect(describeCell(cell(1, 0), pieces, t, grammar)).toBe('cell 1,0');
});

test('the position is described with prompt, seats, supply and every occupied cell', () => {
  const said = describePosition(
    view({
      pieces,
      areas: [hexes([cell(0, 0), cell(1, 0)])],
      supply: [{ id: 't', label: { key: 'tiles' }, value: 4, of: null, symbol: null }],
      seats: [
        {
          seat: 0,
          name: { key: 'red' },
          symbol: 's',
          counters: [{ id: 'c', label: { key: 'stacks' }, value: 1, of: 3, symbol: null }],
        },
      ],
    }),
    t,
    grammar,
  );
  expect(said).toEqual(['prompt', 'red, stacks: 1/3', 'tiles: 4', 'cell 0,0, 2 × chip, red chip, pawn']);
});

test('a count above its limit is given without the limit', () => {
  expect(describeAmount({ value: 3, of: 3 })).toBe('3/3');
  expect(describeAmount({ value: 4, of: 3 })).toBe('4');
  expect(describeAmount({ value: 4, of: null })).toBe('4');
});

const card = (more: Partial<Card>): Card => ({
  id: 'c',
  symbol: 'c',
  title: { key: 'Move' },
  text: { key: 'one step' },
  cells: [],
  links: [],
  ...more,
});

test('the position is described with its active rules', () => {
  expect(describePosition(view({ seats: [], cards: [card({})] }), t, grammar)).toEqual([
    'prompt',
    'Move',
    'one step',
  ]);
});

test('a card is described with its cells and links', () => {
  const cells = ['0,0', '1,0'];
  const links: [string, string][] = [
    ['0,0', '1,0'],
    ['1,0', '0,1'],
    ['0,0', '0,1'],
  ];
  expect(describeCard(card({ cells, links }), view(), t, grammar)).toBe(
    'cell 0,0, cell 1,0; cell 0,0: cell 1,0, cell 0,1; cell 1,0: cell 0,1',
  );
  expect(describeCard(card({}), view(), t, grammar)).toBe('');
});
