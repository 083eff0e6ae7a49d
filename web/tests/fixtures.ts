/** A made-up game on a few hexes: for tests only. */
import { vi } from 'vitest';
import type { ActionView, Area, Cell, Event, Mark, Piece, View } from '../src/lib/api/view';
import type { LogEntry, Snapshot } from '../src/lib/api/types';
import { localSnapshot } from '../src/lib/match/localSnapshot';

export const slant = { tilt: 0.8, lift: 14, rise: 76 };

export const cell = (q: number, r: number, more: Partial<Cell> = {}): Cell => ({
  id: `${q},${r}`,
  x: q + r / 2,
  y: r * 0.866,
  symbol: 'tile',
  label: { key: 'cell', params: { cell: `${q},${r}` } },
  marks: [],
  value: null,
  part_of: null,
  ...more,
});

export const mark = (key: string, choosing = false): Mark => ({ symbol: 'm', label: { key }, choosing });

export const piece = (id: string, on: string, level = 0, more: Partial<Piece> = {}): Piece => ({
  id,
  cell: on,
  symbol: 'chip',
  label: { key: 'chip' },
  level,
  turn: 0,
  owner: null,
  ...more,
});

export const action = (token: string, touches: string[], more: Partial<ActionView> = {}): ActionView => ({
  token,
  touches,
  label: { key: 'action', params: { token } },
  kind: 'walk',
  ...more,
});

export const event = (step: number, change: Event['change'], cells: string[] = []): Event => ({
  step,
  change,
  cells,
  line: null,
  text: null,
  sound: null,
});

export const hexes = (cells: Cell[]): Area => ({ id: 'board', shape: 'hex', label: { key: 'board' }, cells });

export function view(more: Partial<View> = {}): View {
  return {
    game: 'test',
    to_act: 0,
    turn: 1,
    prompt: { key: 'prompt' },
    areas: [hexes([cell(0, 0), cell(1, 0), cell(0, 1), cell(-1, 1)])],
    pieces: [],
    seats: [
      { seat: 0, name: { key: 'red' }, symbol: 'seat-0', counters: [] },
      { seat: 1, name: { key: 'blue' }, symbol: 'seat-1', counters: [] },
    ],
    supply: [],
    cards: [],
    lines: [],
    actions: [],
    outcome: null,
    ...more,
  };
}

export const entry = (seq: number, turn: number, seat: number, events: Event[] = []): LogEntry => ({
  seq,
  seat,
  turn,
  token: `t${seq}`,
  label: { key: 'action' },
  move: null,
  events,
  late: false,
  planned: false,
});

export function snapshot(seq: number, more: Partial<Snapshot> = {}): Snapshot {
  const local = localSnapshot({ name: 'test', rules_version: 1 }, { view: view(), log: [], acting: 0 });
  return {
    ...local,
    match: 'm',
    seq,
    seats: [
      { seat: 0, kind: 'person', name: '', yours: true },
      { seat: 1, kind: 'engine', name: '', seconds: 1, yours: false },
    ],
    confirm: true,
    can: { ...local.can, resign: true },
    ...more,
  };
}

/** Stands in for the local storage of the browser; `room`: the characters it can store. */
export function stubStorage(room = Infinity): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      const used = [...kept].reduce((sum, [known, { length }]) => (known === key ? sum : sum + length), 0);
      if (used + value.length > room) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, value);
    },
    removeItem: (key: string) => kept.delete(key),
  });
  return kept;
}
