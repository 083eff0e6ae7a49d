/**
 * Selection of actions in every game. It keeps the selected cells and offers the actions whose touches begin
 * with them. Where the piece can be rotated, only actions with its rotation count.
 */
import type { ActionView, Refusal } from '../api/view';

/** The cells and actions that can be selected next. */
export interface Offer {
  /** The actions that begin with the selected cells. */
  actions: ActionView[];
  /** The cells that can be selected next, with their actions. */
  next: Map<string, ActionView[]>;
  /** The actions without cells. */
  buttons: ActionView[];
}

/** The result of a selection. `touched`: the cells that stay selected. */
export type Answer =
  | { kind: 'more'; touched: string[] }
  | { kind: 'play'; touched: string[]; action: ActionView }
  | { kind: 'ask'; touched: string[]; actions: ActionView[] }
  | { kind: 'back'; touched: string[] }
  | { kind: 'refused'; touched: string[]; tried: string[]; rotation: number | null };

/** Why a selection led to no action, shown at the cell. */
export interface Rejection {
  cell: string;
  text: string;
  refusal: Refusal | null;
}

/** `rotation`: that of the selected piece; null: any. */
export function offer(
  actions: readonly ActionView[],
  touched: readonly string[],
  rotation: number | null = null,
): Offer {
  const begun = actions.filter(
    (action) =>
      action.touches.length > 0 && beginsWith(action, touched) && lies(action, touched.length, rotation),
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

/** Whether the action can begin with these cells in this order. */
function beginsWith({ touches, any_order }: ActionView, touched: readonly string[]): boolean {
  if (!any_order) return touched.every((cell, place) => touches[place] === cell);
  return touched.every((cell) => times(touched, cell) <= times(touches, cell));
}

function times(cells: readonly string[], wanted: string): number {
  return cells.filter((cell) => cell === wanted).length;
}

/** Whether the action has the rotation, if the next selection would complete it. */
const lies = (action: ActionView, count: number, rotation: number | null): boolean =>
  rotation === null || (action.turn ?? rotation) === rotation || action.touches.length > count + 1;

/** The rotations of actions that the next or the last selection completes. */
export function rotations(actions: readonly ActionView[], touched: readonly string[]): number[] {
  const near = actions.filter(
    (action) =>
      action.touches.length > 0 && action.touches.length <= touched.length + 1 && beginsWith(action, touched),
  );
  return [...new Set(near.flatMap(({ turn }) => turn ?? []))].sort((a, b) => a - b);
}

/** The rotation to use: the wanted one, the opposite one, or the first possible one. */
export function nearestRotation(known: readonly number[], wanted: number): number | null {
  return [wanted, (wanted + 180) % 360, ...known].find((one) => known.includes(one)) ?? null;
}

/** The cells with which an action can continue. */
function following({ touches, any_order }: ActionView, touched: readonly string[]): string[] {
  return any_order
    ? [...new Set(touches)].filter((cell) => times(touched, cell) < times(touches, cell))
    : touches.slice(touched.length, touched.length + 1);
}

/** Whether the pieces on the touched cells swap places: each cell holds a piece afterwards. */
const swaps = ({ any_order, touches, preview }: ActionView): boolean =>
  any_order === true &&
  touches.length > 1 &&
  touches.every((cell) => preview?.some((piece) => piece.cell === cell));

/** How actions of `count` cells end on a cell: by moving there, or by swapping places. Empty if none swaps. */
export function endings(
  next: ReadonlyMap<string, readonly ActionView[]>,
  count: number,
): Map<string, Set<'go' | 'swap'>> {
  const found = new Map<string, Set<'go' | 'swap'>>();
  for (const [cell, actions] of next) {
    const complete = actions.filter(({ touches }) => touches.length === count);
    found.set(cell, new Set(complete.map((action) => (swaps(action) ? 'swap' : 'go'))));
  }
  return [...found.values()].some((ways) => ways.has('swap')) ? found : new Map();
}

/** The player selects a cell; `rotation`: that of the piece. */
export function touch(
  actions: readonly ActionView[],
  touched: readonly string[],
  cell: string,
  wantedRotation = 0,
): Answer {
  const kept = [...touched, cell];
  const rotation = nearestRotation(rotations(actions, touched), wantedRotation);
  const { actions: begun } = offer(actions, kept, rotation);
  if (begun.length > 0) return settle(begun, kept);
  // The last cell again: deselect it.
  if (touched.at(-1) === cell) return { kind: 'back', touched: touched.slice(0, -1) };
  // Start over at this cell, unless that would play an action at once.
  const { actions: anew } = offer(actions, [cell]);
  if (touched.length > 0 && anew.length > 0 && anew.every(({ touches }) => touches.length > 1)) {
    return { kind: 'more', touched: [cell] };
  }
  return { kind: 'refused', touched: [...touched], tried: kept, rotation };
}

/** The player presses the button of an action, or picks it from a menu. */
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
