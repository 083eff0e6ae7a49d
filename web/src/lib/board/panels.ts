/** A board in parts: what a narrow screen shows of it at a time. */
import type { Panel } from '../api/types';
import type { Frame } from './frame';

/** What of a frame is in a panel. */
export function cropToPanel(frame: Frame, panel: Panel): Frame {
  const { view } = frame.snapshot;
  const moved = new Map(panel.areas.map((place) => [place.area, place]));
  const areas = frame.areas.flatMap((area) => {
    const by = moved.get(area.id);
    if (!by) return [];
    return [{ ...area, cells: area.cells.map((cell) => ({ ...cell, x: cell.x + by.x, y: cell.y + by.y })) }];
  });
  const here = new Set(areas.flatMap(({ cells }) => cells.map(({ id }) => id)));
  // Lines run over the board proper, which is the first area.
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

/** The panel to look at for what happens in a frame: the one that is shown, if it has any of it. */
export function panelOfAction(frame: Frame, panels: readonly Panel[], shown: number): number {
  const places = new Map(frame.areas.flatMap(({ id, cells }) => cells.map((cell) => [cell.id, id])));
  const areas = new Set(frame.events.flatMap(({ cells }) => cells.map((cell) => places.get(cell))));
  const has = (panel: Panel | undefined) => panel?.areas.some(({ area }) => areas.has(area)) ?? false;
  const first = panels.findIndex(has);
  return has(panels[shown]) || first < 0 ? shown : first;
}

/** How many of these cells each panel has; those that every panel has do not count. */
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

/** The panel to look at for cells of which each panel has so many: the one that is shown, unless another has more. */
export function panelWithMost(counts: readonly number[], shown: number): number {
  const first = counts.indexOf(Math.max(...counts));
  return (counts[first] ?? 0) > (counts[shown] ?? 0) ? first : shown;
}
