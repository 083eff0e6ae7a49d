import { expect, test } from 'vitest';
import { selectablePerPanel, panelWithMost, cropToPanel, panelOfAction } from '../../src/lib/board/panels';
import { type Panel } from '../../src/lib/api/types';
import { restFrame } from '../../src/lib/board/frame';
import type { Area, Piece } from '../../src/lib/api/view';
import type { Snapshot } from '../../src/lib/api/types';
import { cell, event, view } from '../fixtures';

const area = (id: string, ...cells: string[]): Area => ({
  id,
  shape: 'free',
  label: { key: id },
  cells: cells.map((name, place) => ({ ...cell(0, 0), id: name, x: place, y: 0 })),
});
const piece = (id: string, on: string): Piece => ({
  id,
  cell: on,
  symbol: id,
  label: { key: id },
  level: 0,
  turn: 0,
  owner: null,
});
const line = { id: 'l', owner: 0, label: { key: 'l' }, path: [[0, 0]] as [number, number][], counts: [] };

const areas = [area('map', 'a', 'b'), area('town', 'c'), area('hand', 'h')];
const whole = restFrame({
  log: [],
  view: view({ areas, pieces: [piece('x', 'a'), piece('y', 'c')], lines: [line] }),
} as unknown as Snapshot);
const panels: Panel[] = [
  {
    id: 'land',
    areas: [
      { area: 'map', x: 0, y: 0 },
      { area: 'hand', x: 2, y: -1 },
    ],
  },
  {
    id: 'city',
    areas: [
      { area: 'town', x: 0, y: 0 },
      { area: 'hand', x: 0, y: 0 },
    ],
  },
];

test('a panel shows its areas at their places, with the pieces on them', () => {
  const [land, city] = panels.map((panel) => cropToPanel(whole, panel));
  expect(land?.areas.map(({ id }) => id)).toEqual(['map', 'hand']);
  expect(land?.areas[1]?.cells[0]).toMatchObject({ id: 'h', x: 2, y: -1 });
  expect(land?.pieces.map(({ id }) => id)).toEqual(['x']);
  expect(land?.snapshot.view.lines).toEqual([line]);
  expect(city?.pieces.map(({ id }) => id)).toEqual(['y']);
  expect(city?.snapshot.view.lines).toEqual([]);
});

test('a panel counts the cells that not every panel has', () => {
  expect(selectablePerPanel(whole, panels, new Set(['a', 'b', 'h']))).toEqual([2, 0]);
  expect(selectablePerPanel(whole, panels, new Set(['h']))).toEqual([0, 0]);
  expect(selectablePerPanel(whole, panels, new Set(['c']))).toEqual([0, 1]);
});

test('an event is shown in its panel, and the shown panel stays if it has the event', () => {
  const during = (...cells: string[]) => ({ ...whole, events: [event(0, { type: 'announced' }, cells)] });
  expect(panelOfAction(during('c'), panels, 0)).toBe(1);
  expect(panelOfAction(during('a'), panels, 0)).toBe(0);
  expect(panelOfAction(during('h'), panels, 1)).toBe(1);
  expect(panelOfAction(during(), panels, 1)).toBe(1);
});

test('events over several panels are shown in the one with most of them, or the shown one in a tie', () => {
  expect(panelWithMost(selectablePerPanel(whole, panels, new Set(['a', 'c', 'b'])), 1)).toBe(0);
  expect(panelWithMost(selectablePerPanel(whole, panels, new Set(['a', 'c'])), 1)).toBe(1);
  expect(panelWithMost(selectablePerPanel(whole, panels, new Set(['h'])), 1)).toBe(1);
  expect(panelWithMost(selectablePerPanel(whole, [], new Set(['a'])), 0)).toBe(0);
});
