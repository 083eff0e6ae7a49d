import { expect, test } from 'vitest';
import { ranking } from '../../src/lib/match/ranking';
import type { SeatView } from '../../src/lib/api/view';

const seats = (...values: (number | null)[]): SeatView[] =>
  values.map((value, seat) => ({
    seat,
    name: { key: String(seat) },
    symbol: '',
    counters: value === null ? [] : [{ id: 'n', label: { key: 'n' }, value, of: null, symbol: null }],
  }));
const order = (values: (number | null)[], winners: number[]) =>
  ranking(seats(...values), winners).map(({ seat, place }) => [seat.seat, place]);

test('more is better where the winner has most', () => {
  expect(order([3, 9, 5], [1])).toEqual([
    [1, 1],
    [2, 2],
    [0, 3],
  ]);
});

test('less is better where the winner has least', () => {
  expect(order([4, 0, 2], [1])).toEqual([
    [1, 1],
    [2, 2],
    [0, 3],
  ]);
});

test('equal values share a place, after all winners', () => {
  expect(order([9, 9, 2, 2], [0, 1])).toEqual([
    [0, 1],
    [1, 1],
    [2, 3],
    [3, 3],
  ]);
});

test('others have no place where their order is unknown', () => {
  expect(order([4, 3, 2], [1])).toEqual([
    [1, 1],
    [0, null],
    [2, null],
  ]);
  expect(order([null, null, null], [2])).toEqual([
    [2, 1],
    [0, null],
    [1, null],
  ]);
});
