/** The hand: the areas that show what one seat has, and the changes of their numbers. */
import { cellCentre, sizeOf, type Box, type Slant } from './geometry';
import type { Frame } from './frame';
import type { Area, NumberChange, SeatView } from '../api/view';

/** An area of a hand, with the box around its cells. */
interface Plate extends Box {
  id: string;
  seat: number;
}

/** The seat whose things an area shows: the one that its label names; undefined: none. */
const ownerOf = ({ label }: Area, seats: readonly SeatView[]): number | undefined => {
  const named = label.params?.['seat'];
  return typeof named === 'object' ? seats.find(({ name }) => name.key === named.key)?.seat : undefined;
};

/** Half of the width and of the height of a cell with a number, in its hundredths. */
const HALF = { wide: 60, high: 46 };
/** The rim of a plate. */
const RIM = 6;

/** The plates below the hands. */
export function platesOf(areas: readonly Area[], seats: readonly SeatView[], slant: Slant): Plate[] {
  return areas.flatMap((area) => {
    const seat = ownerOf(area, seats);
    if (seat === undefined || area.cells.length === 0) return [];
    const places = area.cells.map((cell) => cellCentre(cell, slant));
    const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
    const size = sizeOf(area);
    const [wide, high] = [size * HALF.wide + RIM, size * HALF.high + RIM];
    const [left, top] = [Math.min(...xs) - wide, Math.min(...ys) - high];
    const [width, height] = [Math.max(...xs) + wide - left, Math.max(...ys) + high - top];
    return [{ id: area.id, seat, left, top, width, height }];
  });
}

/** The numbers in the hands by cell. */
const numbersOf = ({ snapshot }: Frame): Map<string, number> => {
  const { areas, seats } = snapshot.view;
  const cells = areas.filter((area) => ownerOf(area, seats) !== undefined).flatMap(({ cells }) => cells);
  return new Map(cells.flatMap(({ id, value }) => (value === null ? [] : [[id, value]])));
};

/** The changes of the turn in the hand so far. */
export class TurnChanges {
  private start: { acting: number | null; length: number; numbers: Map<string, number> } | null = null;

  /** Follows the frames at rest. Returns the changes while the turn waits for its confirmation. */
  follow(frame: Frame): NumberChange[] {
    const { acting, log, status } = frame.snapshot;
    const now = numbersOf(frame);
    const { start } = this;
    if (!start || start.acting !== acting || log.length < start.length)
      this.start = { acting, length: log.length, numbers: now };
    if (!start || status !== 'confirming') return [];
    return [...now].flatMap(([cell, value]) => {
      const by = value - (start.numbers.get(cell) ?? value);
      return by === 0 ? [] : [{ cell, by }];
    });
  }
}
