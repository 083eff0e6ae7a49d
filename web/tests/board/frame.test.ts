import { expect, test } from 'vitest';
import { restFrame } from '../../src/lib/board/frame';
import { action, cell, hexes, mark, snapshot, view } from '../fixtures';

const areas = [hexes([cell(0, 0, { marks: [mark('visited'), mark('too dear', true)] }), cell(1, 0)])];

const marks = (actions: string[]) => {
  const shown = view({ areas, actions: actions.map((token) => action(token, ['0,0'])) });
  return restFrame(snapshot(1, { view: shown })).areas.flatMap(({ cells }) =>
    cells.flatMap(({ marks }) => marks.map(({ label }) => label.key)),
  );
};

test('marks for a choice are shown only to the player who chooses', () => {
  expect(marks(['go'])).toEqual(['visited', 'too dear']);
  expect(marks([])).toEqual(['visited']);
});
