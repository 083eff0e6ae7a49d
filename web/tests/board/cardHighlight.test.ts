/** Rings around cells, such as those of a hint. */
import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import CardHighlight from '../../src/board/CardHighlight.svelte';
import type { Area, Cell } from '../../src/lib/api/view';
import { slant } from '../fixtures';

const text = { key: 'x' };
const cell: Cell = {
  id: 'wheel-0',
  label: text,
  marks: [],
  part_of: null,
  symbol: null,
  value: null,
  x: 3,
  y: 1,
};

test.each([
  [undefined, false],
  [0.5, true],
])('a ring is as large as its cell (size %s)', (size, scaled) => {
  const area: Area = { id: 'wheel', shape: 'square', label: text, cells: [cell], ...(size ? { size } : {}) };
  const props = { card: { cells: ['wheel-0'], links: [] }, pieces: [], cells: [{ area, cell }], slant };
  const { body } = render(CardHighlight, { props });
  expect(body).toContain('translate(300 80)');
  expect(body.includes('scale(0.5)')).toBe(scaled);
});
