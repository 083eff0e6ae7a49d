/** Creation of a match with chosen or default seats and options. */
import { account } from '../account/account.svelte';
import { ApiError } from '../api/http';
import { createMatch } from '../api/matches';
import { isOnDevice, newDeviceId, saveDeviceGame, type DeviceSeat } from '../device/deviceStore';
import { catalogue } from '../i18n/catalogue.svelte';
import { go } from '../platform/route.svelte';
import { settings } from '../platform/settings.svelte';
import { hasFields, isText } from '../platform/checks';
import { save, load } from '../platform/storage';
import { uuid } from '../platform/uuid';
import { higherLevel } from './higherLevel';
import { saveMatch, savedMatches } from './matchStore';
import type { View } from '../api/view';
import type { MatchRequest, SeatRequest } from '../api/types';

/** The levels of the engines, the weakest first. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
/** The default level, which a beginner can beat. */
export const DEFAULT_LEVEL = 3;

export const person: SeatRequest = { kind: 'person', name: '' };
export const link: SeatRequest = { kind: 'link' };
export const engineSeat = (level: number): SeatRequest => ({ kind: 'engine', level });

export const agentSeat = (agent: string): SeatRequest => ({ kind: 'engine', agent });

/** The kind of the other seats: computer, this device, or invitation. */
export type OpponentKind = 'engine' | 'here' | 'link';

export const opponentSeat = (others: OpponentKind, level: number = DEFAULT_LEVEL): SeatRequest =>
  others === 'engine' ? engineSeat(level) : others === 'here' ? person : link;

export const defaultSeats = (count: number, others: OpponentKind, level?: number): SeatRequest[] =>
  Array.from({ length: count }, (_, seat) => (seat === 0 ? person : opponentSeat(others, level)));

/** The seats of a game from a position: the person here has the seat to move. */
export function seatsAt({ seats, to_act }: View, others: OpponentKind, level?: number): SeatRequest[] {
  const own = Math.max(to_act ?? 0, 0);
  return seats.map((_, seat) => (seat === own ? person : opponentSeat(others, level)));
}

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

export const lastRequest = (match: string) =>
  load<MatchRequest | null>(lastKey(match), null, hasFields({ game: isText, seats: Array.isArray }));

/** The engine level for the next game: that of the last one, or one more after a win. */
export function nextLevel(game: string): number {
  for (const { match, winners, who } of savedMatches().filter((saved) => saved.game === game)) {
    const level = lastRequest(match)
      ?.seats.map(levelOf)
      .find((level) => level !== null);
    if (!level) continue;
    const won = winners?.some((seat) => who?.[seat]?.yours);
    return Math.min(level + (won ? 1 : 0), LEVELS.length);
  }
  return DEFAULT_LEVEL;
}

/** A position from which a game begins on this device. */
export interface Beginning {
  options: Record<string, string>;
  position: string;
  view: View;
}

/** A request with the position from which the game begins on this device; without one, with the start of the game. */
export type DeviceRequest = MatchRequest & { position?: string | undefined };

/** The seats of a game on this device; null: it needs the server, for other people, agents, other clocks than per turn, or ratings. */
export function deviceSeats({ seats, time = null, rated = false }: MatchRequest): DeviceSeat[] | null {
  if ((time !== null && time.kind !== 'turn') || rated) return null;
  const own = seats.map((seat): DeviceSeat | null => {
    const level = levelOf(seat);
    if (level !== null) return { kind: 'engine', level };
    return seat.kind === 'person' ? { kind: 'person' } : null;
  });
  return own.every((seat) => seat !== null) ? own : null;
}

/** Starts a game on this device. */
export function startOnDevice(request: DeviceRequest, seats: DeviceSeat[]): void {
  const { game, options, confirm, position = null } = request;
  const { rules_version = catalogue.games?.find(({ name }) => name === game)?.rules_version, ...own } =
    options;
  const match = newDeviceId(uuid());
  saveDeviceGame(match, {
    game,
    options: Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)])),
    rules: String(rules_version ?? ''),
    position,
    seats,
    confirm,
    line: [],
    confirmed: 0,
    resigned: null,
    seq: 0,
    time: request.time?.kind === 'turn' ? request.time.seconds : null,
  });
  saveMatch({ match, game, tokens: [], at: Date.now(), over: false });
  save(lastKey(match), request);
  go({ page: 'match', match });
}

/** The level for the next game after a win against the computer; null: none. */
export const levelAfter = (match: string): number | null =>
  higherLevel(lastRequest(match)?.seats.map(levelOf) ?? [], LEVELS.length);

/** Plays the same again, where it was played; `level`: of the computer's seats, if it changes. */
export async function playAgain(match: string, level: number | null = null): Promise<void> {
  const last = lastRequest(match);
  if (last === null) return;
  const seat = (one: SeatRequest) => (level === null || levelOf(one) === null ? one : engineSeat(level));
  const request = { ...last, seats: last.seats.map(seat) };
  const seats = isOnDevice(match) ? deviceSeats(request) : null;
  if (seats) startOnDevice(request, seats);
  else await startMatch(request);
}

/** Starts a match on the server. Without the network, a game that needs no server starts on this device. */
export async function startMatch(request: MatchRequest): Promise<void> {
  try {
    await startOnServer(request);
  } catch (error) {
    const seats = deviceSeats(request);
    if (!(error instanceof ApiError) || error.problem.code !== 'offline' || !seats) throw error;
    startOnDevice(request, seats);
  }
}

async function startOnServer(request: MatchRequest): Promise<void> {
  const { match, tokens, invitations } = await createMatch(named(request), settings.language);
  const { game, lobby = false, to } = request;
  saveMatch({
    match,
    game,
    tokens,
    invitations,
    lobby,
    ...(to && { to }),
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
