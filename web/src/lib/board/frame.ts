/** Frames: what is drawn at one moment, at rest or during an animation. */
import { cellCentre, type Slant } from './geometry';
import { animationSteps, type Motion, type AnimationStep } from './motion';
import type { Area, Cell, Event, Curve, Piece, Text, View } from '../api/view';
import type { LogEntry, Snapshot } from '../api/types';

export interface Frame {
  /** The snapshot it shows. */
  snapshot: Snapshot;
  areas: Area[];
  pieces: Piece[];
  /** Pieces that disappear. */
  leaving: Piece[];
  motions: ReadonlyMap<string, Motion>;
  /** Cells that appear. */
  laid: ReadonlySet<string>;
  /** Lines that light up; at rest, those of the last action. */
  lit: Curve[];
  /** The events that happen. */
  events: Event[];
  /** Texts of the events; at rest, of the last action. */
  texts: Text[];
  /** In milliseconds; 0: at rest. */
  duration: number;
  /** Additional time to read it, in milliseconds. */
  reading: number;
}

/** Pause between the actions of two actors, in milliseconds. */
export const PAUSE_BETWEEN = 180;

/** Time to read a sentence before the next, when cards change. */
const READING = 700;

/** The events of the last action of a seat and of the draws after it. */
function latest(log: readonly LogEntry[]): Event[] {
  const since = log.findLastIndex(({ seat }) => seat >= 0);
  return log.slice(Math.max(since, 0)).flatMap(({ events }) => events);
}

const linesOf = (events: readonly Event[]): Curve[] =>
  events.map(({ line }) => line).filter((line) => line !== null);

const sentences = (events: readonly Event[]): Text[] =>
  events.map(({ text }) => text).filter((text) => text !== null);

/** Whether the position is the same: nothing was played or undone. */
export const samePosition = (before: Snapshot | null, { log, status }: Snapshot): boolean =>
  before?.status === status && before.log.length === log.length && before.log.at(-1)?.seq === log.at(-1)?.seq;

/** The actions played since `before`, unless something was undone. */
export function playedSince(before: Snapshot, { log }: Snapshot): LogEntry[] {
  const { length } = before.log;
  return log[length - 1]?.seq === before.log.at(-1)?.seq ? log.slice(length) : [];
}

/** The areas of a view. Marks for a choice are shown only while there is something to choose. */
export function areasOf({ areas, actions }: Pick<View, 'areas' | 'actions'>): Area[] {
  if (actions.length > 0) return areas;
  const seen = (cell: Cell) =>
    cell.marks.some(({ choosing }) => choosing)
      ? { ...cell, marks: cell.marks.filter(({ choosing }) => !choosing) }
      : cell;
  return areas.map((area) => ({ ...area, cells: area.cells.map(seen) }));
}

/** The frame of a position at rest. */
export function restFrame(snapshot: Snapshot): Frame {
  return {
    snapshot,
    areas: areasOf(snapshot.view),
    pieces: snapshot.view.pieces,
    leaving: [],
    motions: new Map(),
    laid: new Set(),
    lit: linesOf(latest(snapshot.log)),
    events: [],
    texts: sentences(snapshot.log.at(-1)?.events ?? []),
    duration: 0,
    reading: 0,
  };
}

/** The frames between two snapshots. After an undo they take the shortest way. */
export function framesBetween(
  before: Snapshot,
  after: Snapshot,
  played: readonly LogEntry[],
  slant: Slant,
): Frame[] {
  const places = new Map(
    [before.view, after.view]
      .flatMap(({ areas }) => areas.flatMap(({ cells }) => cells))
      .map((cell) => [cell.id, cellCentre(cell, slant)]),
  );
  const where = (cell: string) => places.get(cell);
  const lists = played.map(({ events }) => events).filter(({ length }) => length > 0);
  const deeds = lists.length > 0 ? lists : [difference(before.view, after.view)];
  const turns = JSON.stringify(before.view.cards) !== JSON.stringify(after.view.cards);
  const seen: string[] = [];
  let { pieces } = before.view;
  let texts: Text[] = [];
  return deeds.flatMap((events, deed) => {
    const steps = animationSteps(pieces, events, where);
    pieces = steps.at(-1)?.pieces ?? pieces;
    return steps.map((step, number) => {
      seen.push(...step.laid);
      const sentence = sentences(step.events);
      if (sentence.length > 0) texts = sentence;
      const frame = during(before, after, step, new Set(seen));
      const last = number === steps.length - 1;
      // The last sentence stays visible anyway.
      const read = !last && step.events.some((event) => isRead(event, turns));
      const pause = last && deed < deeds.length - 1 ? PAUSE_BETWEEN : 0;
      return { ...frame, texts, reading: read ? READING : pause };
    });
  });
}

const isRead = ({ text, change, line }: Event, turns: boolean): boolean =>
  text !== null && (line !== null || (turns && (change.type === 'changed' || change.type === 'announced')));

function during(
  before: Snapshot,
  after: Snapshot,
  step: AnimationStep,
  seen: ReadonlySet<string>,
): Omit<Frame, 'texts' | 'reading'> {
  return {
    snapshot: before,
    areas: merged(areasOf(before.view), areasOf(after.view), seen),
    pieces: step.pieces,
    leaving: step.leaving,
    motions: step.motions,
    laid: new Set(step.laid),
    lit: step.lines,
    events: step.events,
    duration: step.duration,
  };
}

/** The cells before, with new cells as they are afterwards. */
function merged(before: Area[], after: Area[], laid: ReadonlySet<string>): Area[] {
  if (laid.size === 0) return before;
  return after.map((area) => {
    const old = before.find(({ id }) => id === area.id)?.cells ?? [];
    return {
      ...area,
      cells: [...old.filter(({ id }) => !laid.has(id)), ...area.cells.filter(({ id }) => laid.has(id))],
    };
  });
}

/** Events that lead from one view's pieces to the other's. */
function difference(before: View, after: View): Event[] {
  const eventOf = (change: Event['change']): Event => ({
    step: 0,
    change,
    cells: [],
    line: null,
    text: null,
    sound: null,
  });
  const now = new Map(after.pieces.map((piece) => [piece.id, piece]));
  const old = new Map(before.pieces.map((piece) => [piece.id, piece]));
  return [
    ...before.pieces.filter(({ id }) => !now.has(id)).map(({ id }) => eventOf({ type: 'removed', id })),
    ...after.pieces
      .filter((piece) => {
        const was = old.get(piece.id);
        return was && (was.cell !== piece.cell || was.level !== piece.level);
      })
      .map((piece) => eventOf({ type: 'moved', id: piece.id, piece })),
    ...after.pieces
      .filter((piece) => {
        const was = old.get(piece.id);
        if (was?.cell !== piece.cell || was.level !== piece.level) return false;
        return was.symbol !== piece.symbol || was.turn !== piece.turn;
      })
      .map((piece) => eventOf({ type: 'changed', id: piece.id, piece })),
    ...after.pieces.filter(({ id }) => !old.has(id)).map((piece) => eventOf({ type: 'placed', piece })),
  ];
}

/** The actions of the last complete turn: their traces stay on the board. */
export function lastTurn({ log, view }: Pick<Snapshot, 'log' | 'view'>): LogEntry[] {
  const complete = log.filter(({ turn, seat }) => seat >= 0 && (turn < view.turn || view.outcome !== null));
  const last = complete.at(-1);
  return last ? complete.filter(({ turn, seat }) => turn === last.turn && seat === last.seat) : [];
}
