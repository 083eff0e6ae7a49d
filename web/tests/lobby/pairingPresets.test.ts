import { expect, test } from 'vitest';
import { presetsOf, seatCounts } from '../../src/lib/lobby/pairingPresets';
import type { GameSummary } from '../../src/lib/api/types';

const game = (more: object) =>
  ({ name: 'g', seats: [2, 2], options: [], weight: 2, minutes: null, ...more }) as unknown as GameSummary;
const players = { seats: [2, 4], options: [{ name: 'players', values: ['2', '3', '4'] }] };
const seconds = (one: GameSummary, seats: number) =>
  presetsOf(one, seats).map(({ time }) => (time.kind === 'main' ? time.seconds : null));

test('the clocks follow the pace of a game and the number of seats', () => {
  expect(seconds(game({ minutes: [10, 10] }), 2)).toEqual([180, 300]);
  expect(seconds(game({ minutes: [30, 45], ...players }), 2)).toEqual([300, 900]);
  expect(seconds(game({ minutes: [30, 45], ...players }), 4)).toEqual([180, 300]);
  expect(seconds(game({ minutes: [240, 300] }), 2)).toEqual([900, 1800]);
  expect(seconds(game({ minutes: [1, 1] }), 2)).toEqual([180, 300]);
  expect(seconds(game({ weight: 1 }), 2)).toEqual([180, 300]);
});

test('a preset sets the number of players where the game has a choice', () => {
  expect(presetsOf(game(players), 3)[0]?.options).toEqual({ players: 3 });
  expect(presetsOf(game({}), 2)[0]?.options).toEqual({});
  expect(presetsOf(game({}), 3)).toEqual([]);
});

test('all numbers of seats are offered once', () => {
  expect(seatCounts([game({}), game(players)])).toEqual([2, 3, 4]);
});
