import { describe, expect, test } from 'vitest';
import { besideCell, fitViewport, nearestCell, cellSpots } from '../../src/lib/board/viewport';
import {
  arrow,
  curvedArrow,
  cellsInOrder,
  curve,
  extent,
  neighbour,
  outline,
  placed,
  cellCentre,
  type Direction,
} from '../../src/lib/board/geometry';
import { cell, hexes, piece, slant } from '../fixtures';

const field = [-2, -1, 0, 1, 2].flatMap((r) => [-3, -2, -1, 0, 1, 2, 3].map((q) => cell(q, r)));

function walk(from: string, ways: Direction[], cells = field): string {
  let here = cells.find(({ id }) => id === from);
  let line = here;
  for (const way of ways) {
    if (!here || !line) throw new Error(`no ${from}`);
    here = neighbour(cells, here, way, line) ?? here;
    line = way === 'left' || way === 'right' ? { ...here, y: line.y } : { ...here, x: line.x };
  }
  return here?.id ?? '';
}

describe('the arrow keys', () => {
  test('go along a row of hexes', () => {
    expect(walk('0,0', ['right'])).toBe('1,0');
    expect(walk('0,0', ['left', 'left'])).toBe('-2,0');
  });

  test('keep to the column that they started from', () => {
    expect(walk('0,0', ['up', 'up'])).toBe('1,-2');
    expect(walk('0,0', ['up', 'down'])).toBe('0,0');
    expect(walk('0,0', ['down', 'down', 'up', 'up'])).toBe('0,0');
  });

  test('stay at the edge', () => {
    expect(walk('3,2', ['right'])).toBe('3,2');
  });

  test('find a way where the next cell is missing', () => {
    const gap = [cell(0, 0), cell(1, -1), cell(2, 0)];
    expect(walk('0,0', ['right'], gap)).toBe('1,-1');
  });

  test('reach every cell of a connected board', () => {
    const reached = new Set(['0,0']);
    for (const id of reached) {
      for (const way of ['left', 'right', 'up', 'down'] as const) reached.add(walk(id, [way]));
    }
    expect(reached.size).toBe(field.length);
  });

  test('work alike on squares and free places', () => {
    const squares = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => ({ ...cell(0, 0), id: `${x}${y}`, x, y })));
    expect(walk('00', ['right', 'down', 'left'], squares)).toBe('01');
    const free = [
      { ...cell(0, 0), id: 'tray', x: 0, y: 0 },
      { ...cell(0, 0), id: 'far', x: 4, y: 0.5 },
    ];
    expect(walk('tray', ['right'], free)).toBe('far');
  });
});

describe('drawing', () => {
  test('a cell is where the core draws it', () => {
    expect(cellCentre({ x: 1.5, y: 2 }, slant)).toEqual({ x: 150, y: 160 });
  });

  test('cells farther away are drawn first', () => {
    const cells = [cell(0, 1), cell(1, 0), cell(0, 0)];
    expect(cellsInOrder([hexes(cells)]).map((one) => one.cell.id)).toEqual(['0,0', '1,0', '0,1']);
  });

  test('a hex has six corners, a square four', () => {
    expect(outline('hex', slant).split(' ')).toHaveLength(6);
    expect(outline('square', slant)).toBe('-50.0,-40.0 50.0,-40.0 50.0,40.0 -50.0,40.0');
  });

  test('the extent has room for tall pieces', () => {
    const areas = [hexes([cell(0, 0)])];
    expect(extent({ areas, pieces: [] }, slant)).toEqual({
      left: -60,
      top: -49.6,
      width: 120,
      height: 113.2,
    });
    const tall = extent({ areas, pieces: [piece('p', '0,0', 3)] }, slant);
    expect(tall.top).toBe(-(3 * 14 + 76));
  });

  test('smaller cells need less room, and illustrations need theirs', () => {
    const areas = [{ ...hexes([cell(0, 0)]), size: 0.5 }];
    expect(extent({ areas, pieces: [] }, slant)).toMatchObject({ left: -30, top: -24.8, width: 60 });
    const scenery = [
      { cell: '0,0', symbol: 'farm', box: [-2, -1, 0.2, 3] as [number, number, number, number] },
    ];
    expect(extent({ areas, pieces: [] }, { ...slant, scenery })).toEqual({
      left: -100,
      top: -40,
      width: 130,
      height: 160,
    });
  });

  test('drawings of a cell have its size', () => {
    expect(placed({ x: 1, y: 2 }, {})).toBe('translate(1 2)');
    expect(placed({ x: 1, y: 2 }, { size: 0.5 })).toBe('translate(1 2) scale(0.5)');
  });

  test('an empty board has an extent too', () => {
    expect(extent({ areas: [], pieces: [] }, slant)).toEqual({ left: 0, top: 0, width: 1, height: 1 });
  });

  test('the viewport contains the box and has the proportions of its place', () => {
    const box = { left: 0, top: 0, width: 900, height: 300 };
    const { left, top, width, height } = fitViewport(box, 400, 600);
    expect(width / height).toBeCloseTo(400 / 600);
    expect(left).toBeLessThan(0);
    expect(left + width).toBeGreaterThan(900);
    expect(top).toBeLessThan(0);
    expect(top + height).toBeGreaterThan(300);
  });

  test('an arrow ends before the cell, and needs two places', () => {
    expect(arrow([{ x: 0, y: 0 }], 0.1)).toBeNull();
    expect(
      arrow(
        [
          { x: 0, y: 0 },
          { x: 100, y: 0 },
        ],
        0.1,
      ),
    ).toEqual({
      line: 'M10.0 0.0L75.0 0.0',
      head: 'M90.0 0.0L75.0 11.0L75.0 -11.0Z',
    });
  });

  test('a finger beside a cell selects the nearest within reach', () => {
    const cells = [cell(0, 0), cell(1, 0)];
    expect(nearestCell(cells, { x: 70, y: 5 }, slant, 40)).toBe('1,0');
    expect(nearestCell(cells, { x: 50, y: 200 }, slant, 40)).toBeNull();
  });
});

test('a line between cells bends around those between, and two opposite lines do not overlap', () => {
  const [a, b, c] = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
    { x: 200, y: 0 },
  ];
  const middle = (line: string) => Number(/Q\S+ (\S+)/.exec(line)?.[1]);
  expect(Math.abs(middle(curvedArrow(a, b, [a, b, c]).line))).toBeLessThan(10);
  expect(middle(curvedArrow(a, c, [a, b, c]).line)).toBeGreaterThan(25);
  expect(middle(curvedArrow(c, a, [a, b, c]).line)).toBeLessThan(-25);
});

test('a cell and its parts are one unit', () => {
  const whole = cell(0, 0, { id: 'pile' });
  const part = cell(1, 0, { id: 'pile-b', part_of: 'pile' });
  const all = cellsInOrder([hexes([whole, part, cell(3, 0)])]);
  const [pile, other] = cellSpots(all, slant);
  expect(pile).toMatchObject({ cell: whole, x: 50, y: 0, wide: 2, high: 1 });
  expect(other).toMatchObject({ x: 300, wide: 1, high: 1 });
  expect(cellSpots(all, slant)).toHaveLength(2);
  expect(outline('square', { ...slant, tilt: 1 }, 0.9, { wide: 2, high: 1 })).toBe(
    '-95.0,-45.0 95.0,-45.0 95.0,45.0 -95.0,45.0',
  );
});

test('a line is drawn as a smooth curve', () => {
  expect(
    curve(
      [
        [0, -0.5],
        [0, 0],
        [0.5, 0],
        [1, 0],
        [1, 1],
      ],
      { ...slant, tilt: 0.5 },
    ),
  ).toBe('M0.0 -25.0Q0.0 0.0 50.0 0.0Q100.0 0.0 100.0 50.0');
});

test('the arrow keys follow a row whose cells are far apart', () => {
  const board = [0, 1, 2].map((x) => ({ ...cell(0, 0), id: `a${x}`, x, y: 0 }));
  const piles = [0, 2.5, 5].map((x) => ({ ...cell(0, 0), id: `p${x}`, x, y: 1.3 }));
  expect(walk('p2.5', ['left'], [...board, ...piles])).toBe('p0');
  expect(walk('a2', ['down', 'left', 'up'], [...board, ...piles])).toBe('a0');
});

test('an enlarged cell is near its place, and covers neither it nor the cells to select', () => {
  const board = { width: 400, height: 400 };
  const size = { width: 100, height: 100 };
  const place = { x: 200, y: 200, half: 25, ...board };
  expect(besideCell(place, size, [])).toEqual({ left: 150, top: 65 });
  const above = { x: 180, y: 130, half: 30, ...board };
  const { left, top } = besideCell(place, size, [above]);
  const apart = ({ x, y, half }: typeof place) =>
    left >= x + half || left + 100 <= x - half || top >= y + half || top + 100 <= y - half;
  expect(apart(above) && apart(place)).toBe(true);
  expect(Math.hypot(left - 150, top - 150)).toBeLessThan(110);
});
