import { expect, test } from 'vitest';
import { platesOf, TurnChanges } from '../../src/lib/board/hand';
import { restFrame } from '../../src/lib/board/frame';
import type { Area } from '../../src/lib/api/view';
import type { Snapshot } from '../../src/lib/api/types';
import { cell, slant, view } from '../fixtures';

const { seats } = view();
const name = seats[0]?.name ?? { key: '' };

const hand = (...numbers: number[]): Area => ({
  id: 'hand',
  shape: 'free',
  label: { key: 'hand', params: { seat: name } },
  cells: numbers.map((value, x) => ({ ...cell(0, 0), id: `h${x}`, x, y: 0, value })),
});

test('a hand has a plate around its cells, in the colour of its seat', () => {
  const board: Area = { ...hand(1), id: 'board', label: { key: 'board' } };
  expect(platesOf([board, hand(1, 2)], seats, slant)).toEqual([
    { id: 'hand', seat: 0, left: -66, top: -52, width: 232, height: 104 },
  ]);
});

test('the changes of a turn are shown while it waits for its confirmation', () => {
  const changes = new TurnChanges();
  const follow = (status: string, length: number, acting: number, ...numbers: number[]) =>
    changes.follow(
      restFrame({
        status,
        acting,
        log: Array.from({ length }, () => ({ events: [] })),
        view: view({ areas: [hand(...numbers)] }),
      } as unknown as Snapshot),
    );
  expect(follow('playing', 3, 0, 4, 1)).toEqual([]);
  expect(follow('playing', 4, 0, 3, 1)).toEqual([]);
  expect(follow('confirming', 5, 0, 2, 1)).toEqual([{ cell: 'h0', by: -2 }]);
  expect(follow('playing', 5, 1, 9, 9)).toEqual([]);
  // An undo to before this turn begins another one.
  expect(follow('playing', 2, 1, 5, 5)).toEqual([]);
  expect(follow('confirming', 3, 1, 5, 6)).toEqual([{ cell: 'h1', by: 1 }]);
});
