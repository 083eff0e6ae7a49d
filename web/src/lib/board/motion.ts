/** Turns the events of an action into animation steps. */
import type { Point } from './geometry';
import type { Event, Curve, Piece } from '../api/view';

/** How a piece reaches its place; `turn`: its rotation on the way. */
export type Motion =
  | { kind: 'travel'; path: Point[]; levels: number[]; slides: boolean; turn: number }
  | { kind: 'arrive' }
  | { kind: 'turn'; before: Piece }
  /** Rotates about its middle, by degrees clockwise. */
  | { kind: 'rotate'; by: number; spins: boolean }
  | { kind: 'leave' };

/** Events that happen at the same time. */
export interface AnimationStep {
  events: Event[];
  /** The pieces after the step. */
  pieces: Piece[];
  /** Pieces that leave, as they were. */
  leaving: Piece[];
  /** By piece id after the step; for leaving pieces, before it. */
  motions: Map<string, Motion>;
  /** Cells that appear. */
  laid: string[];
  /** Lines that light up. */
  lines: Curve[];
  /** In milliseconds. */
  duration: number;
}

const TRAVEL = 190;
const FARTHER = 30;
const LONGEST = 250;
const OTHER = 170;
const TURN = 250;
/** A spin goes around this many extra times and slows down. */
const ROUNDS = 3;
const SPIN = 1300;
/** Milliseconds per degree of a rotation. */
const DEGREE = 1.5;
const LONGEST_TURN = 500;
/** A line lights up, and its numbers are counted. */
const LIGHT = 450;
const COUNT = 230;

/** How long a line with its numbers lights up, in milliseconds. */
export const highlightDuration = ({ counts }: Curve): number => LIGHT + COUNT * counts.length;

/**
 * Returns the steps of an action.
 *
 * @param where the place of a cell in the frame after the action, or before it if the cell is gone.
 */
export function animationSteps(
  pieces: readonly Piece[],
  events: readonly Event[],
  where: (cell: string) => Point | undefined,
): AnimationStep[] {
  const steps: AnimationStep[] = [];
  let now = [...pieces];
  for (const number of [...new Set(events.map(({ step }) => step))].sort((a, b) => a - b)) {
    const step: AnimationStep = {
      events: events.filter((event) => event.step === number),
      pieces: [],
      leaving: [],
      motions: new Map(),
      laid: [],
      lines: [],
      duration: 0,
    };
    for (const event of step.events) now = apply(now, event, step, where);
    step.pieces = now;
    steps.push(step);
  }
  return steps;
}

function apply(
  pieces: Piece[],
  event: Event,
  step: AnimationStep,
  where: (cell: string) => Point | undefined,
): Piece[] {
  const { change, line } = event;
  const lasts = (duration: number) => {
    step.duration = Math.max(step.duration, duration);
  };
  if (line) {
    step.lines.push(line);
    lasts(highlightDuration(line));
  }
  switch (change.type) {
    case 'placed':
      step.motions.set(change.piece.id, { kind: 'arrive' });
      lasts(OTHER);
      return inOrder([...pieces, change.piece]);
    case 'moved': {
      const before = pieces.find(({ id }) => id === change.id);
      const over =
        event.cells.length > 1 ? event.cells : [before?.cell ?? change.piece.cell, change.piece.cell];
      const path = over.map(where).filter((point) => point !== undefined);
      const levels = [before?.level ?? change.piece.level, change.piece.level];
      // Pieces on the ground slide; others are lifted from cell to cell.
      const slides = path.length > 2 && levels.every((level) => level === 0);
      const turn = shorter((change.piece.turn - (before?.turn ?? change.piece.turn) + 360) % 360);
      step.motions.set(change.piece.id, { kind: 'travel', path, levels, slides, turn });
      lasts(Math.min(TRAVEL + FARTHER * Math.max(path.length - 2, 0), LONGEST));
      return replaced(pieces, change.id, change.piece);
    }
    case 'changed': {
      const before = pieces.find(({ id }) => id === change.id);
      if (before && before.symbol === change.piece.symbol && before.turn !== change.piece.turn) {
        const motion = rotation(before.turn, change.piece.turn, event);
        step.motions.set(change.piece.id, motion);
        lasts(motion.spins ? SPIN : Math.min(TURN + DEGREE * Math.abs(motion.by), LONGEST_TURN));
      } else {
        if (before) step.motions.set(change.piece.id, { kind: 'turn', before });
        lasts(TURN);
      }
      return replaced(pieces, change.id, change.piece);
    }
    case 'removed': {
      const before = pieces.find(({ id }) => id === change.id);
      if (before) {
        step.leaving.push(before);
        step.motions.set(before.id, { kind: 'leave' });
      }
      lasts(OTHER);
      return pieces.filter(({ id }) => id !== change.id);
    }
    case 'laid':
      step.laid.push(change.cell);
      lasts(OTHER);
      return pieces;
    case 'announced':
      return pieces;
  }
}

/** The rotation to another angle: clockwise with cells, otherwise the shorter way. */
function rotation(
  from: number,
  to: number,
  { cells, sound }: Event,
): { kind: 'rotate'; by: number; spins: boolean } {
  const on = (to - from + 360) % 360;
  if (sound === 'spin') return { kind: 'rotate', by: on + 360 * ROUNDS, spins: true };
  return { kind: 'rotate', by: cells.length === 0 ? shorter(on) : on, spins: false };
}

/** The same angle the shorter way around. */
const shorter = (clockwise: number): number => (clockwise > 180 ? clockwise - 360 : clockwise);

function replaced(pieces: Piece[], id: string, piece: Piece): Piece[] {
  return inOrder([...pieces.filter((other) => other.id !== id && other.id !== piece.id), piece]);
}

/** Lowest level first within a cell, as in views. */
function inOrder(pieces: Piece[]): Piece[] {
  return pieces.sort((a, b) => a.level - b.level);
}
