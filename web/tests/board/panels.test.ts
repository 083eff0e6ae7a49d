import { expect, test } from 'vitest';
import {
  apart,
  boardBehind,
  calledPopup,
  cropToPanel,
  openedBy,
  panelOfAction,
  panelWithMost,
  selectablePerPanel,
} from '../../src/lib/board/panels';
import { type Panel } from '../../src/lib/api/types';
import { restFrame, type Frame } from '../../src/lib/board/frame';
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

const short = { symbol: 'short', label: { key: 'short' }, choosing: false };
const stock: Area = {
  ...area('stock', 's', 't', 'u'),
  cells: ['s', 't', 'u'].map((id, x) => ({ ...cell(0, 0), id, x, y: 5, marks: id === 't' ? [short] : [] })),
};
const table = restFrame({
  log: [],
  view: view({ areas: [...areas, stock], pieces: [piece('x', 'a'), piece('y', 's')] }),
} as unknown as Snapshot);
const popup = (id: string, of: string, popup: Panel['popup']): Panel => ({
  id,
  areas: [{ area: of, x: 0, y: 0 }],
  ...(popup ? { popup } : {}),
});
const wheel = popup('wheel', 'town', { handle: 'c' });
const supply = popup('supply', 'stock', { handle: 'h', shows: 'short' });
const popups = [wheel, supply];
const ids = (frame: Frame) => frame.areas.flatMap(({ cells }) => cells.map(({ id }) => id));

test('a panel enlarges its areas around 0,0 before it moves them', () => {
  const large: Panel = { id: 'large', areas: [{ area: 'map', x: 1, y: 2, scale: 2 }] };
  const [shown] = cropToPanel(whole, large).areas;
  expect(shown).toMatchObject({ size: 2, cells: [{ x: 1, y: 2 }, { x: 3 }] });
});

test('a popup comes to the front for a cell to select, or for an event', () => {
  expect(calledPopup(table, popups, new Set(['a', 's']))?.id).toBe('supply');
  expect(calledPopup(table, popups, new Set(['a', 'h']))).toBeUndefined();
  const spin = { ...table, duration: 100, events: [event(0, { type: 'announced' }, ['c'])] };
  expect(calledPopup(spin, popups, new Set(['s']))?.id).toBe('wheel');
  expect(calledPopup({ ...spin, events: [] }, popups, new Set(['s']))).toBeUndefined();
});

test('a handle or a cell of a popup opens it', () => {
  expect(openedBy(table.areas, popups, 'h')?.id).toBe('supply');
  expect(openedBy(table.areas, popups, 'u')?.id).toBe('supply');
  expect(openedBy(table.areas, popups, 'a')).toBeUndefined();
});

test('at rest a popup shows its marked cells in the first places, and in front it leaves the board', () => {
  const rest = boardBehind(table, popups, undefined);
  expect(ids(rest)).toEqual(['a', 'b', 'c', 'h', 't']);
  expect(rest.areas.at(-1)?.cells[0]).toMatchObject({ id: 't', x: 0, y: 5 });
  expect(rest.pieces.map(({ id }) => id)).toEqual(['x']);
  expect(ids(boardBehind(table, popups, supply))).toEqual(['a', 'b', 'c', 'h']);
  expect(ids(boardBehind(table, popups, wheel))).toEqual(['a', 'b', 'h', 't']);
  expect(boardBehind(table, [], undefined)).toBe(table);
});

test('the areas of popups call for no panel', () => {
  expect(selectablePerPanel(whole, apart(panels, [wheel]), new Set(['a', 'c']))).toEqual([1, 0]);
});
