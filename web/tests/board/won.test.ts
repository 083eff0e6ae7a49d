import { expect, test } from 'vitest';
import { wonBy } from '../../src/lib/board/won';
import type { Line } from '../../src/lib/api/view';
import { entry, event, piece, view } from '../fixtures';

const outcome = (...winners: number[]) => ({ winners, reason: 'won', text: { key: 'won' }, returns: [] });
const of = (owner: number, id: string, on: string, key = 'chip') =>
  piece(id, on, 0, { owner, label: { key } });

test('the pieces of which the winner has more are marked, not those that every seat has', () => {
  const pieces = [
    of(0, 'a', '0,0'),
    of(0, 'b', '1,0'),
    of(1, 'c', '0,1'),
    of(0, 'pawn-0', '-1,1', 'pawn'),
    of(1, 'pawn-1', '0,1', 'pawn'),
  ];
  expect(wonBy(view({ outcome: outcome(0), pieces }), []).cells).toEqual(['0,0', '1,0']);
});

test('all pieces of the winner are marked where no seat has more', () => {
  const pieces = [of(0, 'a', '0,0'), of(1, 'b', '1,0')];
  expect(wonBy(view({ outcome: outcome(1), pieces }), []).cells).toEqual(['1,0']);
});

test('the piece that the winner placed last is marked alone', () => {
  const last = of(0, 'b', '1,0');
  const pieces = [of(0, 'a', '0,0'), last];
  const log = [entry(1, 1, 0, [event(0, { type: 'placed', piece: last })])];
  expect(wonBy(view({ outcome: outcome(0), pieces }), log).cells).toEqual(['1,0']);
});

test('the line that the winner scored last is marked alone', () => {
  const line: Line = { id: 'l', owner: 0, label: { key: 'l' }, path: [], counts: [] };
  const log = [entry(1, 1, 0, [{ ...event(0, { type: 'announced' }), line }])];
  expect(wonBy(view({ outcome: outcome(0), pieces: [of(0, 'a', '0,0')] }), log)).toEqual({
    cells: [],
    lines: [line],
  });
});

test('a draw and a game without an end mark nothing', () => {
  const pieces = [of(0, 'a', '0,0')];
  expect(wonBy(view({ outcome: outcome(), pieces }), []).cells).toEqual([]);
  expect(wonBy(view({ pieces }), []).cells).toEqual([]);
});
