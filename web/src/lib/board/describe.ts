/** Texts that describe the board to a screen reader. */
import { m } from '../../messages';
import { areasOf } from './frame';
import type { ActionView, Card, Cell, Counter, Piece, Text, View } from '../api/view';

export type Translate = (text: Text) => string;

/** How the language joins texts. */
export interface Grammar {
  /** "a, b, c" */
  list: (parts: string[]) => string;
  /** "a, b; c, d" */
  apart: (parts: string[]) => string;
  /** "3 × chip" */
  times: (count: number, what: string) => string;
  /** "chips: 3" */
  labelled: (label: string, what: string) => string;
}

/** The pieces on a cell from the bottom up: "2 × neutral chip, red chip". */
function describeContents(pieces: readonly Piece[], cell: string, t: Translate, grammar: Grammar): string {
  const groups: { what: string; count: number }[] = [];
  for (const piece of pieces) {
    if (piece.cell !== cell) continue;
    const what = t(piece.label);
    const last = groups.at(-1);
    if (last?.what === what) last.count += 1;
    else groups.push({ what, count: 1 });
  }
  return grammar.list(groups.map(({ what, count }) => (count === 1 ? what : grammar.times(count, what))));
}

/** A cell with its pieces and marks. */
export function describeCell(cell: Cell, pieces: readonly Piece[], t: Translate, grammar: Grammar): string {
  return grammar.list(
    [
      t(cell.label),
      describeContents(pieces, cell.id, t, grammar),
      ...cell.marks.map(({ label }) => t(label)),
    ].filter((part) => part !== ''),
  );
}

/** How often a cell is selected ("×2"), if more than once. */
export function timesSelected(selected: readonly string[], cell: string): string[] {
  const count = selected.filter((one) => one === cell).length;
  return count > 1 ? [`×${count}`] : [];
}

/** Describes the actions that selecting a cell would play, or that it is selected. */
function describeSelection(
  cell: string,
  next: ReadonlyMap<string, readonly ActionView[]>,
  selected: readonly string[],
  t: Translate,
  grammar: Grammar,
): string {
  if (selected.includes(cell)) return [m.selected(), ...timesSelected(selected, cell)].join(' ');
  const leads = next.get(cell);
  const complete = leads?.filter(({ touches }) => touches.length === selected.length + 1) ?? [];
  if (complete.length > 0) return grammar.list(complete.map(({ label }) => t(label)));
  return leads ? m.selectable() : '';
}

/** The cells by id, each with its pieces and with what selecting it does. */
export const describeCells = (
  cells: readonly Cell[],
  pieces: readonly Piece[],
  next: ReadonlyMap<string, readonly ActionView[]>,
  selected: readonly string[],
  t: Translate,
  grammar: Grammar,
): Map<string, string> =>
  new Map(
    cells.map((cell) => [
      cell.id,
      grammar.list([
        describeCell(cell, pieces, t, grammar),
        describeSelection(cell.id, next, selected, t, grammar),
      ]),
    ]),
  );

/** Returns the names of cells of a view, by their ids. */
export function cellNames(view: View, t: Translate): (cell: string) => string {
  const labels = new Map(view.areas.flatMap(({ cells }) => cells).map(({ id, label }) => [id, t(label)]));
  return (cell) => labels.get(cell) ?? cell;
}

/** The cells of a card and its links: "Cell a1: Cell b1, Cell b2". */
export function describeCard(card: Card, view: View, t: Translate, grammar: Grammar): string {
  const name = cellNames(view, t);
  const joined = new Map<string, string[]>();
  for (const [from, to] of card.links) joined.set(from, [...(joined.get(from) ?? []), name(to)]);
  return grammar.apart([
    ...(card.cells.length > 0 ? [grammar.list(card.cells.map(name))] : []),
    ...[...joined].map(([from, to]) => grammar.labelled(name(from), grammar.list(to))),
  ]);
}

/** A count with its limit, unless the count exceeds it. */
export const describeAmount = ({ value, of }: Pick<Counter, 'value' | 'of'>): string =>
  of === null || value > of ? String(value) : `${value}/${of}`;

/** The whole position: prompt, seats, lines, cards and every occupied cell. */
export function describePosition(view: View, t: Translate, grammar: Grammar): string[] {
  const counted = (counters: View['supply']) =>
    counters.map((counter) => grammar.labelled(t(counter.label), describeAmount(counter)));
  const occupied = new Set(view.pieces.map(({ cell }) => cell));
  return [
    t(view.prompt),
    ...view.seats.map(({ name, counters }) => grammar.list([t(name), ...counted(counters)])),
    ...counted(view.supply),
    ...view.lines.map(({ label }) => t(label)),
    ...view.cards.flatMap(({ title, text }) => [t(title), t(text)]),
    ...areasOf(view)
      .flatMap(({ cells }) => cells)
      .filter(({ id }) => occupied.has(id))
      .map((cell) => describeCell(cell, view.pieces, t, grammar)),
  ];
}
