/** The order of the seats at the end of a game with three or four. */
import type { Counter, SeatView } from '../api/view';

interface Rank {
  seat: SeatView;
  /** From 1; equal values share a place. Null: unknown. */
  place: number | null;
  /** The number that decides; null: unknown. */
  counter: Counter | null;
}

/**
 * The winners first, then the others by their first counter: the higher the better if no winner has less than any
 * other, the lower the better if none has more. Otherwise the others have no place.
 */
export function ranking(seats: readonly SeatView[], winners: readonly number[]): Rank[] {
  const value = ({ counters: [first] }: SeatView) => first?.value ?? 0;
  const won = seats.filter(({ seat }) => winners.includes(seat));
  const others = seats.filter(({ seat }) => !winners.includes(seat));
  const beats = (sign: 1 | -1) =>
    won.every((winner) => others.every((other) => sign * value(winner) >= sign * value(other)));
  const sign =
    won.length === 0 || seats.every(({ counters }) => counters.length === 0)
      ? null
      : beats(1)
        ? 1
        : beats(-1)
          ? -1
          : null;
  const counterOf = ({ counters: [first] }: SeatView) => (sign === null ? null : (first ?? null));
  const ordered =
    sign === null ? others : others.toSorted((one, other) => sign * (value(other) - value(one)));
  return [
    ...won.map((seat) => ({ seat, place: 1, counter: counterOf(seat) })),
    ...ordered.map((seat) => ({
      seat,
      place:
        sign === null
          ? null
          : won.length + 1 + ordered.filter((one) => sign * value(one) > sign * value(seat)).length,
      counter: counterOf(seat),
    })),
  ];
}
