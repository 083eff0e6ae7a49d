/** The score of a match and the games before it, of which each is the rematch. */
import type { Snapshot } from '../api/types';
import { sitterOf } from './sitter';

/** A number of points; halves come from draws. */
const pointsText = (points: number): string =>
  points % 1 === 0 ? String(points) : `${Math.floor(points) || ''}½`;

/** The points in the order of the seats: `3 : 2½`. */
export const scoreText = (points: readonly number[]): string => points.map(pointsText).join(' : ');

/** The score with the players; `seatName`: names the seats of players without names. */
export function scoreByPlayer(
  { series, seats }: Pick<Snapshot, 'series' | 'seats'>,
  seatName: (seat: number) => string,
): string {
  const points = series?.points ?? [];
  const shared = seats.filter(({ yours }) => yours).length > 1;
  const called = points.map((_, seat) => sitterOf(seats[seat], shared) || seatName(seat));
  if (points.length === 2) return `${called[0] ?? ''} ${scoreText(points)} ${called[1] ?? ''}`;
  return points.map((value, seat) => `${called[seat] ?? ''} ${pointsText(value)}`).join(' · ');
}
