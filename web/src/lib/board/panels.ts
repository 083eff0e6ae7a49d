/** Panels: the parts of a board that a narrow screen shows one at a time. */
import type { Panel } from '../api/types';
import type { Frame } from './frame';

/** Returns the part of a frame that a panel shows. */
export function cropToPanel(frame: Frame, panel: Panel): Frame {
  const { view } = frame.snapshot;
  const moved = new Map(panel.areas.map((place) => [place.area, place]));
  const areas = frame.areas.flatMap((area) => {
    const by = moved.get(area.id);
    if (!by) return [];
    return [{ ...area, cells: area.cells.map((cell) => ({ ...cell, x: cell.x + by.x, y: cell.y + by.y })) }];
  });
  const here = new Set(areas.flatMap(({ cells }) => cells.map(({ id }) => id)));
  // Lines run over the board itself, which is the first area.
  const lined = moved.has(frame.areas[0]?.id ?? '');
  return {
    ...frame,
    areas,
    pieces: frame.pieces.filter(({ cell }) => here.has(cell)),
    leaving: frame.leaving.filter(({ cell }) => here.has(cell)),
    lit: lined ? frame.lit : [],
    snapshot: { ...frame.snapshot, view: { ...view, areas, lines: lined ? view.lines : [] } },
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
