/** Creation of a match with chosen or default seats and options. */
import { account } from '../account/account.svelte';
import { createMatch } from '../api/matches';
import { go } from '../platform/route.svelte';
import { settings } from '../platform/settings.svelte';
import { save, load } from '../platform/storage';
import { saveMatch } from './matchStore';
import type { GameInfo, MatchRequest, Options, SeatRequest } from '../api/types';

/** The levels of the engines, the weakest first. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
/** The default level, which a beginner can beat. */
export const DEFAULT_LEVEL = 3;

export const person: SeatRequest = { kind: 'person', name: '' };
export const link: SeatRequest = { kind: 'link' };
export const engineSeat = (level: number): SeatRequest => ({ kind: 'engine', level });

export const agentSeat = (agent: string): SeatRequest => ({ kind: 'engine', agent });

/** The default value of every option. */
export const defaultOptions = (game: GameInfo): Options =>
  Object.fromEntries(
    game.options.flatMap(({ name, values: [first] }) => (first === undefined ? [] : [[name, first]])),
  );

/** The kind of the other seats: computer, this device, or invitation. */
export type OpponentKind = 'engine' | 'here' | 'link';

export const opponentSeat = (others: OpponentKind, level: number = DEFAULT_LEVEL): SeatRequest =>
  others === 'engine' ? engineSeat(level) : others === 'here' ? person : link;

export const defaultSeats = (count: number, others: OpponentKind, level?: number): SeatRequest[] =>
  Array.from({ length: count }, (_, seat) => (seat === 0 ? person : opponentSeat(others, level)));

/** The level of an engine; null: an agent or a person. */
export const levelOf = (seat: SeatRequest): number | null =>
  seat.kind === 'engine' && 'level' in seat ? (seat.level ?? null) : null;

/** The kind of all seats but one person's; null: seats of several kinds. */
export function opponentOf(seats: readonly SeatRequest[]): OpponentKind | null {
  const others = [...seats];
  const own = others.findIndex(({ kind }) => kind === 'person');
  if (own < 0) return null;
  others.splice(own, 1);
  const [first] = others;
  if (others.every(({ kind }) => kind === 'person')) return 'here';
  if (others.every(({ kind }) => kind === 'link')) return 'link';
  const level = first ? levelOf(first) : null;
  return level !== null && others.every((seat) => levelOf(seat) === level) ? 'engine' : null;
}

/** The last request of a match, for "Play again". */
const lastKey = (match: string) => `tavola.request.${match}`;

export const lastRequest = (match: string) => load<MatchRequest | null>(lastKey(match), null);

export async function startMatch(request: MatchRequest): Promise<void> {
  const { match, tokens, invitations } = await createMatch(named(request), settings.language);
  const { game, lobby = false } = request;
  saveMatch({
    match,
    game,
    tokens,
    invitations,
    lobby,
    account: account.me?.name,
    at: Date.now(),
    over: false,
  });
  save(lastKey(match), request);
  go({ page: 'match', match });
}

/** If other people join, the first player here has a visible name. */
function named(request: MatchRequest): MatchRequest {
  const first = request.seats.findIndex(({ kind }) => kind === 'person');
  if (!request.seats.some(({ kind }) => kind === 'link')) return request;
  const seats = request.seats.map((seat, number) =>
    number === first ? { kind: 'person' as const, name: settings.name } : seat,
  );
  return { ...request, seats };
}
