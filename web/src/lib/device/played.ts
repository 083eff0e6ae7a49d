/** A game on this device as the core plays it: whose turn it is, what can be undone, how it ended. */
import { logEntry } from '../core/log';
import { localSnapshot } from '../match/localSnapshot';
import { placeOf, type DeviceGame } from './deviceStore';
import type { CoreClient } from '../core/client';
import type { CoreCommand, CoreMatch } from '../core/types';
import type { LogEntry, Snapshot } from '../api/types';

export interface Played {
  game: DeviceGame;
  log: readonly LogEntry[];
  match: CoreMatch;
}

/** A seed from 0 to 2^53 - 1. */
export function randomSeed(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 21) * 2 ** 32 + low;
}

/** The game after a command, with the random events after it; `log` has the entries of its first actions. */
export async function perform(
  core: CoreClient,
  before: DeviceGame,
  log: readonly LogEntry[] = [],
  command: CoreCommand | null = null,
): Promise<Played> {
  const { seats, confirm, confirmed, resigned } = before;
  const persons = seats.flatMap(({ kind }, seat) => (kind === 'person' ? [seat] : []));
  const stored = { persons, confirm, confirmed, resigned };
  const from = log.length;
  const request = { ...placeOf(before), stored, command, seed: randomSeed(), from };
  const match = await core.ask('match', request);
  const { line } = match;
  const grown = line.length - before.line.length;
  const seq = Math.max(before.seq + (grown > 0 ? grown : Number(command !== null)), line.length);
  const late = before.late?.filter((place) => place < line.length) ?? [];
  const game = { ...before, line, confirmed: match.confirmed, resigned: match.resigned, seq, late };
  const added = match.entries.map((entry, at) => ({
    ...logEntry(entry, seq - line.length + from + at + 1),
    late: late.includes(from + at),
  }));
  return { game, log: [...log.slice(0, line.length), ...added], match };
}

export function snapshotOf(id: string, { game, log, match }: Played): Snapshot {
  const { view, status, acting, result, can } = match;
  const rules = { name: game.game, rules_version: Number(game.rules) };
  return {
    ...localSnapshot(rules, { view, log: [...log], acting }),
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
    can: { ...can, ask: [], if_away: [], blocked: [], reclaimable: [] },
  };
}

/** The turn that a person plays or confirms, with its seat; null: none. */
export function turnOf({ game, match: { acting, turn } }: Played): string | null {
  const isPerson = acting !== null && game.seats[acting]?.kind === 'person';
  return isPerson ? `${String(acting)}.${String(turn)}` : null;
}
