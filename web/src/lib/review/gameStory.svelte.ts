/** The win chances of a finished game and its turning point, computed by the core in the browser within seconds. */
import { ApiError } from '../api/http';
import { startOf } from '../device/deviceStore';
import type { CoreClient } from '../core/client';
import type { Place } from '../core/types';
import type { LogEntry, ReviewPart, Snapshot } from '../api/types';

/** The time for all positions, and for each, in seconds. */
const BUDGET = 20;
const LONGEST = 0.3;
const SHORTEST = 0.05;

/** The most positions before the search for the turning point, and the fewest actions of a game with a story. */
const MOST = 40;
const FEWEST = 6;

/** The minimum change of a turning point, as in `summary.ts`. */
const SWING = 0.1;

/** The number of stories in the cache. */
const KEPT = 8;

const known = new Map<string, ReviewPart>();

type Shares = Map<number, number[]>;

/** The positions between turns, evenly fewer in a long game. */
export function sampledPlies(log: readonly LogEntry[]): number[] {
  const turns = log.flatMap(({ turn, seat }, ply) => {
    const before = log[ply - 1];
    return ply > 0 && seat >= 0 && (turn !== before?.turn || seat !== before.seat) ? [ply] : [];
  });
  const every = Math.ceil(turns.length / MOST);
  return [0, ...turns.filter((_, place) => place % every === every - 1), log.length];
}

/** The places of a list from coarse to fine: the graph is there early, and becomes more exact. */
export function coarseFirst(length: number): number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  for (let step = 2 ** Math.ceil(Math.log2(Math.max(length, 1))); step >= 1; step /= 2)
    for (let place = 0; place < length; place += step) {
      if (seen.has(place)) continue;
      seen.add(place);
      order.push(place);
    }
  return order;
}

/** The shares of a result. */
export function sharesOf(winners: readonly number[], seats: number): number[] {
  const parts = winners.length > 0 ? winners : Array.from({ length: seats }, (_, seat) => seat);
  return Array.from({ length: seats }, (_, seat) => (parts.includes(seat) ? 1 / parts.length : 0));
}

const change = (before: readonly number[], after: readonly number[]): number =>
  Math.max(...after.map((share, seat) => Math.abs(share - (before[seat] ?? 0))));

/** The two known positions, one after the other, between which the shares change most; null: too little. */
export function largestChange(shares: Shares): [from: number, to: number] | null {
  const plies = [...shares.keys()].sort((one, other) => one - other);
  let best: [number, number] | null = null;
  let most = SWING;
  for (const [place, to] of plies.slice(1).entries()) {
    const from = plies[place] ?? 0;
    const far = change(shares.get(from) ?? [], shares.get(to) ?? []);
    if (far >= most) [best, most] = [[from, to], far];
  }
  return best;
}

/** A review from the known positions: others are in between. */
export function partOf(shares: Shares, length: number, turning: number | null): ReviewPart {
  const plies = [...shares.keys()].sort((one, other) => one - other);
  const positions = Array.from({ length: length + 1 }, (_, ply) => {
    const from = plies.findLast((one) => one <= ply) ?? plies[0] ?? 0;
    const to = plies.find((one) => one >= ply) ?? from;
    const [before, after] = [shares.get(from) ?? [], shares.get(to) ?? []];
    const part = to > from ? (ply - from) / (to - from) : 0;
    const mixed = before.map((share, seat) => share + ((after[seat] ?? share) - share) * part);
    return { shares: mixed, margins: mixed.map(() => 0), certain: null };
  });
  return {
    first: 0,
    length,
    positions,
    actions: [],
    balances: [],
    decisive: turning === null ? [] : [turning],
  };
}

/** Whether the story of a game can be told: it was played for some time and was not aborted. */
export const hasStory = ({ result, log }: Snapshot): boolean =>
  result !== null && result.reason !== 'aborted' && log.length >= FEWEST;

export class GameStory {
  /** The part that is known so far; null: none. */
  part: ReviewPart | null = $state.raw(null);
  running = $state(false);
  /** Whether there is no core, or it does not know the game. */
  failed = $state(false);
  private client: CoreClient | null = null;

  constructor(private readonly start: () => CoreClient) {}

  async tell(end: Snapshot): Promise<void> {
    this.stop();
    const key = `${end.match} ${String(end.log.length)}`;
    const found = known.get(key);
    if (found) {
      this.part = found;
      return;
    }
    const client = this.start();
    this.client = client;
    this.running = true;
    try {
      const part = await this.compute(client, end);
      known.set(key, part);
      const [oldest] = known.keys();
      if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (client === this.client) this.failed = this.part === null;
    } finally {
      if (client === this.client) this.stop();
    }
  }

  private async compute(client: CoreClient, end: Snapshot): Promise<ReviewPart> {
    const { log } = end;
    const place: Place = { game: end.game, options: end.options, position: startOf(end.match), line: [] };
    const line = log.map(({ token }) => token);
    const shares: Shares = new Map();
    if (end.view.outcome) shares.set(log.length, sharesOf(end.view.outcome.winners, end.seats.length));
    const plies = sampledPlies(log).filter((ply) => !shares.has(ply));
    const seconds = Math.min(LONGEST, Math.max(SHORTEST, BUDGET / (plies.length + 10)));
    const until = performance.now() + BUDGET * 1000;
    const evaluate = async (ply: number) => {
      const value = await client.ask('evaluate', { ...place, line: line.slice(0, ply), seconds });
      shares.set(ply, value.shares);
    };
    for (const at of coarseFirst(plies.length)) {
      // The ends first: without both there is no graph.
      if (performance.now() > until && shares.size > 2) break;
      await evaluate(plies[at] ?? 0);
      if (client === this.client && shares.size > 2) this.part = partOf(shares, log.length, null);
    }
    let around = largestChange(shares);
    // The action within the turn: the actions between, from the first to the last.
    for (let steps = 0; around && around[1] - around[0] > 1 && steps < 10; steps += 1) {
      if (performance.now() > until) break;
      await evaluate(Math.floor((around[0] + around[1]) / 2));
      around = largestWithin(shares, around);
    }
    const part = partOf(shares, log.length, around && around[1] - 1);
    if (client === this.client) this.part = part;
    return part;
  }

  stop(): void {
    this.client?.close();
    this.client = null;
    this.running = false;
  }
}

/** The larger of the two changes around the position in the middle. */
function largestWithin(shares: Shares, [from, to]: [number, number]): [number, number] | null {
  return largestChange(new Map([...shares].filter(([ply]) => ply >= from && ply <= to))) ?? [from, to];
}
