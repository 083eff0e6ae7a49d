/** The viewport of the board, and the cells near a point. */
import { cellCentre, extent, sizeOf, type Box, type Point, type Slant, type Span } from './geometry';
import type { Area, Cell, View } from '../api/view';

/** A selectable unit: a cell with its parts. */
export interface Spot extends Span {
  area: Area;
  cell: Cell;
  /** Its centre. */
  x: number;
  y: number;
}

/** The place of a cell within the board, in pixels. */
export interface Anchor {
  x: number;
  y: number;
  /** Half of the cell's height. */
  half: number;
  /** The board's size. */
  width: number;
  height: number;
}

/** The box around cells of one area. */
export function boundingSpot(ids: readonly string[], areas: readonly Area[], slant: Slant): Spot | null {
  const area = areas.find(({ cells }) => cells.some(({ id }) => ids.includes(id)));
  const all = area?.cells.filter(({ id }) => ids.includes(id)) ?? [];
  const [cell] = all;
  return area && cell && all.length === new Set(ids).size ? enclosing(area, cell, all, slant) : null;
}

function enclosing(area: Area, cell: Cell, all: readonly Cell[], slant: Slant): Spot {
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const { x, y } = cellCentre({ x: (left + right) / 2, y: (top + bottom) / 2 }, slant);
  return { area, cell, x, y, wide: right - left + 1, high: bottom - top + 1 };
}

/** Returns the cells that can be selected on their own. */
export function cellSpots(cells: readonly { area: Area; cell: Cell }[], slant: Slant): Spot[] {
  const parts = new Map<string, Cell[]>();
  for (const { cell } of cells) {
    if (cell.part_of !== null) parts.set(cell.part_of, [...(parts.get(cell.part_of) ?? []), cell]);
  }
  return cells
    .filter(({ cell }) => cell.part_of === null)
    .map(({ area, cell }) => enclosing(area, cell, [cell, ...(parts.get(cell.id) ?? [])], slant));
}

/** The largest width of a cell in pixels: a small board is not a poster. */
const WIDEST = 168;
/** Margin around the board, in hundredths of a cell. */
const MARGIN = 14;

/** The box with a margin, in the proportions of the page. */
export function fitViewport(box: Box, width: number, height: number): Box {
  const wide = box.width + 2 * MARGIN;
  const high = box.height + 2 * MARGIN;
  if (width === 0 || height === 0) {
    return { left: box.left - MARGIN, top: box.top - MARGIN, width: wide, height: high };
  }
  const widest = Math.max(WIDEST, 0.23 * Math.min(width, height));
  // Hundredths of a cell per pixel.
  const scale = Math.max(wide / width, high / height, 100 / widest);
  return {
    left: box.left + box.width / 2 - (width * scale) / 2,
    top: box.top + box.height / 2 - (height * scale) / 2,
    width: width * scale,
    height: height * scale,
  };
}

/** The box around what a player needs during a turn: cells with pieces, as high as these are, or to select. */
export function neededBox(
  { areas, pieces }: Pick<View, 'areas' | 'pieces'>,
  next: ReadonlyMap<string, unknown>,
  slant: Slant,
): Box {
  const needed = new Set([...next.keys(), ...pieces.map(({ cell }) => cell)]);
  const within = (area: Area) => area.cells.filter(({ id, part_of }) => needed.has(part_of ?? id));
  return extent({ areas: areas.map((area) => ({ ...area, cells: within(area) })), pieces }, slant);
}

/** Whether a viewport shows a box whole. */
const shows = (view: Box, { left, top, width, height }: Box): boolean =>
  left >= view.left &&
  left + width <= view.left + view.width &&
  top >= view.top &&
  top + height <= view.top + view.height;

interface Moment {
  /** The size of the page and the areas that are shown. */
  size: string;
  /** The seat to act. */
  acting: number | null;
  /** The number of actions before it. */
  length: number;
  /** Whether pieces are moving. */
  moving: boolean;
}

/** When the viewport follows a board that grows: after the turn, if it shows all that is needed until then. */
export class Fit {
  private view: Box | null = null;
  private last: Moment | null = null;

  /** How the viewport goes to `goal`; null: it stays. A resize moves it at once. */
  follow(goal: Box, now: Moment, needed: Box): 'smooth' | 'jump' | null {
    const { view, last } = this;
    const steady = last?.size === now.size;
    if (steady && now.moving) return null;
    this.last = now;
    const sameTurn = steady && last.acting === now.acting && last.length <= now.length;
    if (sameTurn && view && shows(view, needed)) return null;
    this.view = goal;
    return steady ? 'smooth' : 'jump';
  }
}

/** The place of a spot on a board of this size in pixels; undefined: the middle of the board. */
export function anchorOf(
  spot: Spot | undefined,
  view: Box,
  slant: Slant,
  width: number,
  height: number,
): Anchor {
  if (!spot) return { x: width / 2, y: height / 2, half: 0, width, height };
  const scale = width / view.width;
  const half = 50 * spot.high * sizeOf(spot.area) * slant.tilt * scale;
  return { x: (spot.x - view.left) * scale, y: (spot.y - view.top) * scale, half, width, height };
}

/** The nearest of the cells within reach of a point, or null: fingers are wider than small cells. */
export function nearestCell(
  cells: readonly Cell[],
  point: Point,
  slant: Slant,
  reach: number,
): string | null {
  let best: string | null = null;
  let least = reach;
  for (const cell of cells) {
    const { x, y } = cellCentre(cell, slant);
    const far = Math.hypot(x - point.x, y - point.y);
    if (far < least) [best, least] = [cell.id, far];
  }
  return best;
}

/** The box around a cell: a hex is higher than it is wide. */
const boxOf = ({ x, y, half }: Anchor): Box => ({
  left: x - half,
  top: y - 1.16 * half,
  width: 2 * half,
  height: 2.32 * half,
});

/** How much of a box others cover. */
const covered = (box: Box, others: readonly Box[]): number =>
  others.reduce((sum, { left, top, width, height }) => {
    const wide = Math.min(box.left + box.width, left + width) - Math.max(box.left, left);
    const high = Math.min(box.top + box.height, top + height) - Math.max(box.top, top);
    return sum + Math.max(0, wide) * Math.max(0, high);
  }, 0);

/** Between an enlarged cell and its place, in pixels. */
const GAP = 10;
/** The distance between places that are tried, in pixels. */
const STEP = 16;

/**
 * Where a box of this size goes on a board: beside the cell that it shows, over none of the cells to keep visible if
 * that is possible.
 */
export function besideCell(
  place: Anchor,
  size: { width: number; height: number },
  visible: readonly Anchor[],
): { left: number; top: number } {
  const { x, y, half } = place;
  const taken = [place, ...visible].map(boxOf);
  const [right, bottom] = [Math.max(0, place.width - size.width), Math.max(0, place.height - size.height)];
  const steps = (end: number, at: number) =>
    [at, ...Array.from({ length: Math.floor(end / STEP) + 1 }, (_, step) => step * STEP), end].map((place) =>
      Math.max(0, Math.min(place, end)),
    );
  let best = { left: 0, top: 0 };
  let least = Infinity;
  for (const left of steps(right, x - size.width / 2))
    for (const top of steps(bottom, y - half - GAP - size.height)) {
      const box = { left, top, ...size };
      const far = Math.hypot(left + size.width / 2 - x, top + size.height / 2 - y);
      const cost = far + 1000 * covered(box, taken);
      if (cost < least) [best, least] = [{ left, top }, cost];
    }
  return best;
}
