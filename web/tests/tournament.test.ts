import { expect, test } from 'vitest';
import { crossRow } from '../src/lib/tournament/crossTable';
import { organizerSecret } from '../src/lib/tournament/secrets';

test("the organizer's secret comes from the fragment of a link", () => {
  expect(organizerSecret(`#organizer=${'x'.repeat(43)}`)).toBe('x'.repeat(43));
  expect(organizerSecret('#organizer=short')).toBeUndefined();
});

test('a cross table keeps the column of each round: a bye is a dash, a round without the player is empty', () => {
  const board = (number: number, players: number[], points: number[] | null) => ({
    number,
    players,
    points,
    match: null,
    absent: null,
    corrected: false,
  });
  const view = {
    settings: { name: '', game: 'potlatch', format: 'swiss' as const },
    rounds: [
      { number: 1, at: '', boards: [board(1, [1, 2], [1, 0])], byes: [] },
      { number: 2, at: '', boards: [board(1, [3, 1], [0.5, 0.5])], byes: [2] },
      { number: 3, at: '', boards: [board(1, [2, 3], null)], byes: [] },
    ],
  };
  const place = new Map([1, 2, 3].map((player) => [player, player]));
  expect(crossRow(view as never, place, 1, String)).toEqual(['2 (1)', '3 (0.5)', '']);
  expect(crossRow(view as never, place, 2, String)).toEqual(['1 (0)', '–', '3 …']);
  expect(crossRow(view as never, place, 3, String)).toEqual(['', '1 (0.5)', '2 …']);
});
