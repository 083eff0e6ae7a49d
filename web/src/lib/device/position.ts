/** The state of a game on this device: whose turn it is, and what can be undone. The rules are the core's. */
import { localSnapshot } from '../match/localSnapshot';
import type { CorePosition } from '../core/types';
import type { LogEntry, Result, Snapshot } from '../api/types';
import type { DeviceGame } from './deviceStore';

/** A game with its actions and the position after them. */
export interface Played {
  game: DeviceGame;
  log: readonly LogEntry[];
  position: CorePosition;
}

const isPerson = ({ seats }: DeviceGame, seat: number): boolean => seats[seat]?.kind === 'person';

/** The seat whose turn is complete and not confirmed; null: none. */
function toConfirm({ game, log, position }: Played): number | null {
  const last = log.at(-1);
  if (!game.confirm || !last || game.confirmed === log.length || !isPerson(game, last.seat)) return null;
  return position.to_act === last.seat && position.turn === last.turn ? null : last.seat;
}

/** The person who acts or confirms; null: none. */
export function viewerOf(played: Played): number | null {
  const seat = toConfirm(played) ?? played.position.to_act;
  return seat !== null && isPerson(played.game, seat) ? seat : null;
}

/** The turn that a person plays or confirms, with its seat; null: none. */
export function turnOf(played: Played): string | null {
  const { status, acting } = snapshotOf('', played);
  if (status === 'over' || acting === null || !isPerson(played.game, acting)) return null;
  const turn = status === 'confirming' ? played.log.at(-1)?.turn : played.position.turn;
  return `${String(acting)}.${String(turn)}`;
}

function resultOf({ game, position }: Played): Result | null {
  const { resigned, seats } = game;
  if (resigned !== null) {
    const winners = seats.flatMap((_, seat) => (seat === resigned ? [] : [seat]));
    const others = seats.length - 1;
    const returns = seats.map((_, seat) => (seat === resigned ? -1 / others : 1 / others ** 2));
    return { winners, returns, reason: 'resigned', text: null, loser: resigned };
  }
  return position.view.outcome && { ...position.view.outcome, loser: null };
}

/** The number of actions that stay after an undo of the last own action or its turn; null: nothing can be undone. */
export function lengthAfterUndo({ game, log }: Played, whole: boolean): number | null {
  // The outcome of chance cannot be forgotten.
  const fixed = log.findLastIndex(({ seat }) => seat < 0) + 1;
  let last = log.findLastIndex(({ seat }) => isPerson(game, seat));
  if (last < fixed || last < 0) return null;
  const { seat, turn } = log[last] ?? {};
  while (whole && last > fixed && log[last - 1]?.seat === seat && log[last - 1]?.turn === turn) last -= 1;
  return last;
}

export function snapshotOf(id: string, played: Played): Snapshot {
  const { game, log, position } = played;
  const waiting = toConfirm(played);
  const acting = waiting ?? (position.to_act === -1 ? null : position.to_act);
  const result = waiting === null || game.resigned !== null ? resultOf(played) : null;
  const status = result ? 'over' : waiting === null ? 'playing' : 'confirming';
  const choosing = status === 'playing' && acting !== null && isPerson(game, acting);
  const undo = !result && lengthAfterUndo(played, false) !== null;
  const view = choosing ? position.view : { ...position.view, actions: [] };
  return {
    ...localSnapshot(
      { name: game.game, rules_version: game.rules },
      { view, log: [...log], acting: result && game.resigned !== null ? null : acting },
    ),
    match: id,
    options: game.options,
    seq: game.seq,
    seats: game.seats.map((seat, number) => ({
      seat: number,
      kind: seat.kind,
      name: '',
      level: seat.kind === 'engine' ? seat.level : null,
      yours: seat.kind === 'person',
    })),
    confirm: game.confirm,
    status,
    result,
    can: {
      undo,
      drawn: !result && !undo && log.some(({ seat }) => isPerson(game, seat)),
      confirm: status === 'confirming',
      resign: !result && game.seats.some(({ kind }) => kind === 'person'),
      ask: [],
      blocked: [],
      reclaimable: [],
    },
  };
}
