/**
 * How an action is chosen, for every game: keep the cells touched so far, offer the actions whose touches
 * begin with them. Where the piece in hand can be turned, only those that lie as it is held. Knows nothing of drawing.
 */
import type { ActionView, Refusal } from '../api/view';

/** What can come next. */
export interface Offer {
  /** The actions that begin with the touched cells. */
  actions: ActionView[];
  /** The cells that can be touched next, with the actions that each leads to. */
  next: Map<string, ActionView[]>;
  /** The actions that need no cell. */
  buttons: ActionView[];
}

/** What a touch comes to. `touched` is what is kept from now on. */
export type Answer =
  | { kind: 'more'; touched: string[] }
  | { kind: 'play'; touched: string[]; action: ActionView }
  | { kind: 'ask'; touched: string[]; actions: ActionView[] }
  | { kind: 'back'; touched: string[] }
  | { kind: 'refused'; touched: string[]; tried: string[]; turn: number | null };

/** Why a selection led to no action, shown at the cell. */
export interface Rejection {
  cell: string;
  text: string;
  refusal: Refusal | null;
}

/** `turn`: how the piece in hand is held; null leaves that open. */
export function offer(
  actions: readonly ActionView[],
  touched: readonly string[],
  turn: number | null = null,
): Offer {
  const begun = actions.filter(
    (action) =>
      action.touches.length > 0 && beginsWith(action, touched) && lies(action, touched.length, turn),
  );
  const next = new Map<string, ActionView[]>();
  for (const action of begun) {
    for (const cell of following(action, touched)) {
      const others = next.get(cell);
      if (others) others.push(action);
      else next.set(cell, [action]);
    }
  }
  return { actions: begun, next, buttons: actions.filter(({ touches }) => touches.length === 0) };
}

/** Whether the action can begin by touching these cells, one after the other. */
function beginsWith({ touches, any_order }: ActionView, touched: readonly string[]): boolean {
  if (!any_order) return touched.every((cell, place) => touches[place] === cell);
  return touched.every((cell) => times(touched, cell) <= times(touches, cell));
}

function times(cells: readonly string[], wanted: string): number {
  return cells.filter((cell) => cell === wanted).length;
}

/** Whether the action has the piece as it is held, if that can be seen by the next touch. */
const lies = (action: ActionView, count: number, turn: number | null): boolean =>
  turn === null || (action.turn ?? turn) === turn || action.touches.length > count + 1;

/** The turns of the piece in hand that the actions know which the next touch, or the last, completes. */
export function turns(actions: readonly ActionView[], touched: readonly string[]): number[] {
  const near = actions.filter(
    (action) =>
      action.touches.length > 0 && action.touches.length <= touched.length + 1 && beginsWith(action, touched),
  );
  return [...new Set(near.flatMap(({ turn }) => turn ?? []))].sort((a, b) => a - b);
}

/** How the piece is held, if it can be: as it was, or as it looks the same turned by half, or the first way that goes. */
export function held(known: readonly number[], turn: number): number | null {
  return [turn, (turn + 180) % 360, ...known].find((way) => known.includes(way)) ?? null;
}

/** The cells with which an action that has begun can go on. */
function following({ touches, any_order }: ActionView, touched: readonly string[]): string[] {
  return any_order
    ? [...new Set(touches)].filter((cell) => times(touched, cell) < times(touches, cell))
    : touches.slice(touched.length, touched.length + 1);
}

/** The person touches a cell; `turn`: how the piece in hand is held. */
export function touch(
  actions: readonly ActionView[],
  touched: readonly string[],
  cell: string,
  turn = 0,
): Answer {
  const kept = [...touched, cell];
  const way = held(turns(actions, touched), turn);
  const { actions: begun } = offer(actions, kept, way);
  if (begun.length > 0) return settle(begun, kept);
  // The cell touched last, again: take it back.
  if (touched.at(-1) === cell) return { kind: 'back', touched: touched.slice(0, -1) };
  // Another beginning, but never one that would be played at once: nothing happens by accident.
  const { actions: anew } = offer(actions, [cell]);
  if (touched.length > 0 && anew.length > 0 && anew.every(({ touches }) => touches.length > 1)) {
    return { kind: 'more', touched: [cell] };
  }
  return { kind: 'refused', touched: [...touched], tried: kept, turn: way };
}

/** The person presses the button of an action, or picks it from a menu. */
export function press(action: ActionView, touched: readonly string[]): Answer {
  return action.warning
    ? { kind: 'ask', touched: [...touched], actions: [action] }
    : { kind: 'play', touched: [], action };
}

function settle(begun: ActionView[], touched: string[]): Answer {
  const complete = begun.filter(({ touches }) => touches.length === touched.length);
  const [only] = complete;
  if (!only) return { kind: 'more', touched };
  if (begun.length === 1 && !only.warning) return { kind: 'play', touched: [], action: only };
  return { kind: 'ask', touched, actions: complete };
}
