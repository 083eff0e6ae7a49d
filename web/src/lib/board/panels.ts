/** A board in parts: what a narrow screen shows of it at a time. */
import type { Picture } from '../match/frame';

/** Areas that are shown together, each moved by so many cell widths from where it lies on the whole board. */
export interface Panel {
  /** Its name is the game's word `panel.ID`. */
  id: string;
  areas: { area: string; x: number; y: number }[];
}

/** What of a picture is in a panel. */
export function part(picture: Picture, panel: Panel): Picture {
  const { view } = picture.snapshot;
  const moved = new Map(panel.areas.map((place) => [place.area, place]));
  const areas = picture.areas.flatMap((area) => {
    const by = moved.get(area.id);
    if (!by) return [];
    return [{ ...area, cells: area.cells.map((cell) => ({ ...cell, x: cell.x + by.x, y: cell.y + by.y })) }];
  });
  const here = new Set(areas.flatMap(({ cells }) => cells.map(({ id }) => id)));
  // Lines run over the board proper, which is the first area.
  const lined = moved.has(picture.areas[0]?.id ?? '');
  return {
    ...picture,
    areas,
    pieces: picture.pieces.filter(({ cell }) => here.has(cell)),
    leaving: picture.leaving.filter(({ cell }) => here.has(cell)),
    lit: lined ? picture.lit : [],
    snapshot: { ...picture.snapshot, view: { ...view, areas, lines: lined ? view.lines : [] } },
  };
}

/** The panel to look at for what happens in a picture: the one that is shown, if it has any of it. */
export function stage(picture: Picture, panels: readonly Panel[], shown: number): number {
  const places = new Map(picture.areas.flatMap(({ id, cells }) => cells.map((cell) => [cell.id, id])));
  const areas = new Set(picture.events.flatMap(({ cells }) => cells.map((cell) => places.get(cell))));
  const has = (panel: Panel | undefined) => panel?.areas.some(({ area }) => areas.has(area)) ?? false;
  const first = panels.findIndex(has);
  return has(panels[shown]) || first < 0 ? shown : first;
}

/** How many of these cells each panel has; those that every panel has do not count. */
export function calls(picture: Picture, panels: readonly Panel[], wanted: ReadonlySet<string>): number[] {
  const cells = new Map(picture.areas.map(({ id, cells }) => [id, cells]));
  const shared = (area: string) => panels.every(({ areas }) => areas.some((place) => place.area === area));
  return panels.map(({ areas }) => {
    const own = areas.filter(({ area }) => !shared(area)).flatMap(({ area }) => cells.get(area) ?? []);
    return own.filter(({ id }) => wanted.has(id)).length;
  });
}

/** The panel to look at for cells of which each panel has so many: the one that is shown, unless another has more. */
export function fullest(counts: readonly number[], shown: number): number {
  const first = counts.indexOf(Math.max(...counts));
  return (counts[first] ?? 0) > (counts[shown] ?? 0) ? first : shown;
}
