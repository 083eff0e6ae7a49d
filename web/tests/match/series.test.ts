import { expect, test } from 'vitest';
import { scoreByPlayer, scoreText } from '../../src/lib/match/series';
import { snapshot } from '../fixtures';

const seatName = (seat: number) => ['Red', 'Blue', 'Green'][seat] ?? '';
const seat = (number: number, name: string, yours = false) => ({
  seat: number,
  kind: 'person' as const,
  name,
  yours,
});

test('halves come from draws', () => {
  expect(scoreText([3, 2])).toBe('3 : 2');
  expect(scoreText([0.5, 2.5])).toBe('½ : 2½');
});

test('the players are named, or their seats', () => {
  const named = snapshot(1, {
    series: { games: 5, points: [3, 2] },
    seats: [seat(0, 'Ada'), seat(1, 'Bo')],
  });
  expect(scoreByPlayer(named, seatName)).toBe('Ada 3 : 2 Bo');
  const three = snapshot(1, {
    series: { games: 1, points: [1, 0, 0] },
    seats: [seat(0, '', true), seat(1, '', true), seat(2, 'Cy')],
  });
  expect(scoreByPlayer(three, seatName)).toBe('Red 1 · Blue 0 · Cy 0');
});
