/** The cells and lines that won a game: the board marks them at its end. */
import type { LogEntry } from '../api/types';
import type { Line, Piece, View } from '../api/view';

export interface Won {
  /** The cells, in drawing order. */
  cells: string[];
  /** The lines that scored last. */
  lines: Line[];
}

const NOTHING: Won = { cells: [], lines: [] };

/** The last turn of the game, with the random events in it. */
function lastTurn(log: readonly LogEntry[]): readonly LogEntry[] {
  const last = log.findLast(({ seat }) => seat >= 0);
  return log.filter(({ turn, seat }) => turn === last?.turn && (seat === last.seat || seat < 0));
}

const distinct = (pieces: readonly Piece[]): string[] => [...new Set(pieces.map(({ cell }) => cell))];

/**
 * The line that a winner scored in the last turn, else the last piece that a winner placed in it. Otherwise the
 * winners' pieces of the kinds of which they have more than any other seat, or all their pieces.
 */
export function wonBy({ outcome, pieces, seats }: View, log: readonly LogEntry[]): Won {
  const winners = new Set(outcome?.winners);
  if (winners.size === 0 || winners.size === seats.length) return NOTHING;
  const won = (seat: number | null) => seat !== null && winners.has(seat);
  const events = lastTurn(log).flatMap((entry) => entry.events);
  const lines = events.flatMap(({ line }) => (line && won(line.owner) ? [line] : []));
  if (lines.length > 0) return { cells: [], lines };
  const placed = events.flatMap(({ change }) =>
    change.type === 'placed' && won(change.piece.owner) ? [change.piece] : [],
  );
  const last = placed.findLast(({ id }) => pieces.some((piece) => piece.id === id));
  if (last) return { cells: [last.cell], lines: [] };
  const own = pieces.filter(({ owner }) => won(owner));
  const count = (kind: string, seat: number) =>
    pieces.filter(({ label, owner }) => label.key === kind && owner === seat).length;
  const others = seats.map(({ seat }) => seat).filter((seat) => !winners.has(seat));
  const more = own.filter(
    ({ label: { key }, owner }) =>
      owner !== null && others.every((other) => count(key, owner) > count(key, other)),
  );
  return { cells: distinct(more.length > 0 ? more : own), lines: [] };
}
