/** Geometry of the board in hundredths of a cell's width, as in `crates/core/src/svg/mod.rs`. */
import type { Area, Cell, Shape, View } from '../api/view';
import type { Theme } from '../api/types';

export interface Point {
  x: number;
  y: number;
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type Direction = 'left' | 'right' | 'up' | 'down';
export type Slant = Pick<Theme, 'tilt' | 'lift' | 'rise' | 'depth' | 'scenery'>;

/** The part of an edge that a rounded corner takes. */
const ROUND = 0.16;
/** The part of an edge that belongs to a corner drawn alone. */
const SHORT = 0.27;

/** The centre of a cell. */
export function cellCentre(cell: Point, slant: Slant): Point {
  return { x: cell.x * 100, y: cell.y * 100 * slant.tilt };
}

/** The size of an area's cells. */
export const sizeOf = ({ size }: Pick<Area, 'size'>): number => size ?? 1;

/** The transform that puts drawings of a cell in place. */
export const placed = ({ x, y }: Point, area: Pick<Area, 'size'>): string =>
  `translate(${x} ${y})${sizeOf(area) === 1 ? '' : ` scale(${sizeOf(area)})`}`;

/** All cells with their areas, from back to front. */
export function cellsInOrder(areas: readonly Area[]): { area: Area; cell: Cell }[] {
  return areas
    .flatMap((area) => area.cells.map((cell) => ({ area, cell })))
    .sort((a, b) => a.cell.y - b.cell.y || a.cell.x - b.cell.x);
}

/** Width and height in cells. */
export interface Span {
  wide: number;
  high: number;
}

const ONE: Span = { wide: 1, high: 1 };

/** The outline of a cell around 0,0 as an SVG polygon; merged cells share one outline. */
export function outline(shape: Shape, slant: Slant, scale = 1, { wide, high }: Span = ONE): string {
  const corners =
    shape === 'hex'
      ? Array.from({ length: 6 }, (_, corner) => {
          const angle = Math.PI * (corner / 3 - 0.5);
          return [Math.cos(angle) / Math.sqrt(3), Math.sin(angle) / Math.sqrt(3)] as const;
        })
      : ([
          [-0.5, -0.5],
          [0.5, -0.5],
          [0.5, 0.5],
          [-0.5, 0.5],
        ] as const);
  return corners
    .map(([x, y]) => [x * 100 * (scale + wide - 1), y * 100 * (scale + high - 1) * slant.tilt] as const)
    .map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`)
    .join(' ');
}

/** The scale of a mark: on hexes it leaves the ground free, on squares only the rim. */
export const markScale = (shape: Shape): number => ({ hex: 0.8, square: 0.95, free: 0.86 })[shape];

/** The outline with rounded corners, as an SVG path. */
export function roundedOutline(shape: Shape, slant: Slant, scale: number, span = ONE): string {
  const path = bends(shape, slant, scale, span).map(({ turn }) => turn);
  return `M${path.join('L')}Z`;
}

/** Only the corners of the outline, as an SVG path: a softer mark. */
export function cornerMarks(shape: Shape, slant: Slant, scale: number, span = ONE): string {
  return bends(shape, slant, scale, span)
    .map(({ from, turn, to }) => `M${from}L${turn}L${to}`)
    .join('');
}

/** The rounded corners of a cell, with points before and after each on its edges. */
function bends(
  shape: Shape,
  slant: Slant,
  scale: number,
  span: Span,
): { from: string; turn: string; to: string }[] {
  const points = outline(shape, slant, scale, span)
    .split(' ')
    .map((corner) => corner.split(',').map(Number) as [number, number]);
  const towards = ([x, y]: [number, number], [to, on]: [number, number], part: number) =>
    `${(x + (to - x) * part).toFixed(1)} ${(y + (on - y) * part).toFixed(1)}`;
  return points.map((corner, number) => {
    const before = points.at(number - 1) ?? corner;
    const after = points[(number + 1) % points.length] ?? corner;
    return {
      from: towards(corner, before, SHORT),
      turn: `${towards(corner, before, ROUND)}Q${corner.join(' ')} ${towards(corner, after, ROUND)}`,
      to: towards(corner, after, SHORT),
    };
  });
}

/** The bounding box of everything, with room for tall pieces. */
export function extent(view: Pick<View, 'areas' | 'pieces'>, slant: Slant): Box {
  const tallest = new Map<string, number>();
  for (const { cell, level } of view.pieces) {
    tallest.set(cell, Math.max(tallest.get(cell) ?? 0, level));
  }
  const boxes = new Map(slant.scenery?.flatMap(({ cell, box }) => (box ? [[cell, box]] : [])));
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { area, cell } of cellsInOrder(view.areas)) {
    const { x, y } = cellCentre(cell, slant);
    const level = tallest.get(cell.id);
    const above = level === undefined ? 0 : slant.lift * level + slant.rise;
    const size = sizeOf(area);
    const [start, over, end, under] = boxes.get(cell.id) ?? [0, 0, 0, 0];
    left = Math.min(left, x - size * Math.max(60, -100 * start));
    right = Math.max(right, x + size * Math.max(60, 100 * end));
    top = Math.min(top, y - size * Math.max(above, 62 * slant.tilt, -100 * slant.tilt * over));
    bottom = Math.max(bottom, y + size * Math.max(62 * slant.tilt + slant.lift, 100 * slant.tilt * under));
  }
  if (left > right) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top, width: right - left, height: bottom - top };
}

const ARROWS: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The direction of an arrow key; undefined: another key. */
export const directionOf = (key: string): Direction | undefined => ARROWS[key];

const AHEAD: Record<Direction, Point> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/**
 * The cell that an arrow key leads to, or null at the edge: the nearest in that direction, on any geometry.
 * `line` is the point whose row or column the keys follow. Thus going straight up over hexes comes back to
 * the same column.
 */
export function neighbour(cells: readonly Cell[], from: Cell, way: Direction, line: Point): Cell | null {
  const ahead = AHEAD[way];
  let best: Cell | null = null;
  let least = Infinity;
  for (const cell of cells) {
    const along = (cell.x - from.x) * ahead.x + (cell.y - from.y) * ahead.y;
    const aside = Math.abs((cell.x - from.x) * ahead.y) + Math.abs((cell.y - from.y) * ahead.x);
    if (along < 0.2 || aside > along * 1.8) continue;
    const astray = Math.abs((cell.x - line.x) * ahead.y) + Math.abs((cell.y - line.y) * ahead.x);
    // Prefer far along the line to near beside it.
    const cost = along + 1.3 * astray;
    if (cost < least - 1e-9) [best, least] = [cell, cost];
  }
  return best;
}

/** A line of a view as an SVG path. */
export function curve(points: readonly [number, number][], slant: Slant): string {
  const written = points.map(([x, y]) => {
    const at = cellCentre({ x, y }, slant);
    return `${at.x.toFixed(1)} ${at.y.toFixed(1)}`;
  });
  return written
    .map((point, number) => `${number === 0 ? 'M' : number % 2 === 1 ? 'Q' : ' '}${point}`)
    .join('');
}

/** An arrow along cell centres, shortened at both ends by a fraction of the way. */
export function arrow(points: readonly Point[], part: number): { line: string; head: string } | null {
  const end = points.at(-1);
  const before = points.at(-2);
  const start = points[0];
  const second = points[1];
  if (!end || !before || !start || !second) return null;
  const short = (from: Point, to: Point, more: number): Point => {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const by = part + more / length;
    return { x: to.x - (to.x - from.x) * by, y: to.y - (to.y - from.y) * by };
  };
  const tip = short(before, end, 0);
  const base = short(before, end, 15);
  const first = short(second, start, 0);
  const line = [first, ...points.slice(1, -1), base]
    .map(({ x, y }, place) => `${place === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');
  const [ux, uy] = [(tip.x - base.x) / 15, (tip.y - base.y) / 15];
  const corner = (side: number) =>
    `${(base.x - uy * 11 * side).toFixed(1)} ${(base.y + ux * 11 * side).toFixed(1)}`;
  return { line, head: `M${tip.x.toFixed(1)} ${tip.y.toFixed(1)}L${corner(1)}L${corner(-1)}Z` };
}

/** A curve between two cell centres that bends around those between, with the points at its ends. */
export function curvedArrow(
  from: Point,
  to: Point,
  others: Iterable<Point>,
): { line: string; head: string; ends: [Point, Point] } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const between = [...others].some(({ x, y }) => {
    const part = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
    const off = Math.hypot(from.x + part * dx - x, from.y + part * dy - y);
    return part > 0.1 && part < 0.9 && off < 30;
  });
  const aside = between ? 0.18 : 0.06;
  const bend = { x: (from.x + to.x) / 2 - dy * aside, y: (from.y + to.y) / 2 + dx * aside };
  /** A point near a centre, along the line and beside it. */
  const near = (centre: Point, along: number, across = 0): Point => {
    const far = Math.hypot(bend.x - centre.x, bend.y - centre.y) || 1;
    const [ux, uy] = [(bend.x - centre.x) / far, (bend.y - centre.y) / far];
    return { x: centre.x + ux * along - uy * across, y: centre.y + uy * along + ux * across };
  };
  const written = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const ends: [Point, Point] = [near(from, 30), near(to, 30)];
  return {
    line: `M${written(ends[0])}Q${written(bend)} ${written(ends[1])}`,
    head: `M${written(near(to, 16))}L${written(near(to, 34, 9))}L${written(near(to, 34, -9))}Z`,
    ends,
  };
}

/** The path of a cross in the middle of a cell: it was rejected. */
export const cross = (x: number, tilt: number): string =>
  `M${-x} ${-x * tilt}L${x} ${x * tilt}M${x} ${-x * tilt}L${-x} ${x * tilt}`;
