/** Panels: the parts of a board that a narrow screen shows one at a time, or that come to the front. */
import type { Panel } from '../api/types';
import type { Area, Cell } from '../api/view';
import type { Frame } from './frame';
import { sizeOf } from './geometry';

const noCells: Cell[] = [];

/** The cells of a panel, area by area. */
const cellsOf = (areas: readonly Area[], panel: Panel): Cell[] =>
  panel.areas.flatMap(({ area }) => areas.find(({ id }) => id === area)?.cells ?? noCells);

/** Panels without the areas of popups, which come to the front of any panel. */
export function apart(panels: readonly Panel[], popups: readonly Panel[]): Panel[] {
  const theirs = new Set(popups.flatMap(({ areas }) => areas.map(({ area }) => area)));
  return panels.map((panel) => ({ ...panel, areas: panel.areas.filter(({ area }) => !theirs.has(area)) }));
}

/** Whether a panel has a cell. */
const hasCell = (areas: readonly Area[], panel: Panel, cell: string): boolean =>
  cellsOf(areas, panel).some(({ id }) => id === cell);

/** Returns the popup that comes to the front by itself: events happen there, or a cell can be selected. */
export function calledPopup(
  frame: Frame,
  popups: readonly Panel[],
  next: ReadonlySet<string>,
): Panel | undefined {
  const events = new Set(frame.events.flatMap(({ cells }) => cells));
  const wanted = frame.duration > 0 || events.size > 0 ? events : next;
  return popups.find((popup) => cellsOf(frame.areas, popup).some(({ id }) => wanted.has(id)));
}

/** Returns the popup that a cell opens. */
export const openedBy = (areas: readonly Area[], popups: readonly Panel[], cell: string): Panel | undefined =>
  popups.find((popup) => popup.popup?.handle === cell || hasCell(areas, popup, cell));

/** The frame of the board while `front` is in front of it and the other popups rest. */
export function boardBehind(frame: Frame, popups: readonly Panel[], front: Panel | undefined): Frame {
  if (popups.length === 0) return frame;
  const areas = popups.reduce((areas, popup) => {
    const own = new Set(popup.areas.map(({ area }) => area));
    if (popup === front) return areas.filter(({ id }) => !own.has(id));
    return popup.popup?.shows === undefined ? areas : folded(areas, popup, own, popup.popup.shows);
  }, frame.areas);
  return withAreas(frame, areas);
}

/** Only the cells with a mark, in the first places of the panel. */
function folded(areas: Area[], panel: Panel, own: ReadonlySet<string>, mark: string): Area[] {
  const all = cellsOf(areas, panel);
  const shown = all.filter(({ marks }) => marks.some(({ symbol }) => symbol === mark));
  const places = new Map(shown.map(({ id }, number) => [id, all[number]]));
  const put = (cell: Cell): Cell[] => {
    const place = places.get(cell.id);
    return place ? [{ ...cell, x: place.x, y: place.y }] : [];
  };
  return areas.map((area) => (own.has(area.id) ? { ...area, cells: area.cells.flatMap(put) } : area));
}

/** Returns the part of a frame that a panel shows. */
export function cropToPanel(frame: Frame, panel: Pick<Panel, 'areas'>): Frame {
  const { view } = frame.snapshot;
  const moved = new Map(panel.areas.map((place) => [place.area, place]));
  const areas = frame.areas.flatMap((area) => {
    const by = moved.get(area.id);
    if (!by) return [];
    const { scale = 1 } = by;
    const put = (cell: Cell) => ({ ...cell, x: scale * cell.x + by.x, y: scale * cell.y + by.y });
    return [{ ...area, size: scale * sizeOf(area), cells: area.cells.map(put) }];
  });
  // Lines run over the board itself, which is the first area.
  const lined = moved.has(frame.areas[0]?.id ?? '');
  return withAreas(
    {
      ...frame,
      lit: lined ? frame.lit : [],
      snapshot: { ...frame.snapshot, view: { ...view, lines: lined ? view.lines : [] } },
    },
    areas,
  );
}

/** A frame with these areas and the pieces on them. */
function withAreas(frame: Frame, areas: Area[]): Frame {
  const here = new Set(areas.flatMap(({ cells }) => cells.map(({ id }) => id)));
  return {
    ...frame,
    areas,
    pieces: frame.pieces.filter(({ cell }) => here.has(cell)),
    leaving: frame.leaving.filter(({ cell }) => here.has(cell)),
    snapshot: { ...frame.snapshot, view: { ...frame.snapshot.view, areas } },
  };
}

/** Returns the panel for a frame's events: the shown one if it has any of them. */
export function panelOfAction(frame: Frame, panels: readonly Panel[], shown: number): number {
  const places = new Map(frame.areas.flatMap(({ id, cells }) => cells.map((cell) => [cell.id, id])));
  const areas = new Set(frame.events.flatMap(({ cells }) => cells.map((cell) => places.get(cell))));
  const has = (panel: Panel | undefined) => panel?.areas.some(({ area }) => areas.has(area)) ?? false;
  const first = panels.findIndex(has);
  return has(panels[shown]) || first < 0 ? shown : first;
}

/** How many of the cells each panel has; areas of all panels do not count. */
export function selectablePerPanel(
  frame: Frame,
  panels: readonly Panel[],
  wanted: ReadonlySet<string>,
): number[] {
  const cells = new Map(frame.areas.map(({ id, cells }) => [id, cells]));
  const shared = (area: string) => panels.every(({ areas }) => areas.some((place) => place.area === area));
  return panels.map(({ areas }) => {
    const own = areas.filter(({ area }) => !shared(area)).flatMap(({ area }) => cells.get(area) ?? []);
    return own.filter(({ id }) => wanted.has(id)).length;
  });
}

/** Returns the panel with the most cells, the shown one in case of a tie. */
export function panelWithMost(counts: readonly number[], shown: number): number {
  const first = counts.indexOf(Math.max(...counts));
  return (counts[first] ?? 0) > (counts[shown] ?? 0) ? first : shown;
}
