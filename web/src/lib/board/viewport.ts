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
