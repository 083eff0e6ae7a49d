/** Chance that can be checked: docs/explanation/fairness.md, as a browser does it. */
import { hmac, sha256 } from '../platform/sha256';
import { save, load } from '../platform/storage';
import type { FairnessRecord, LogEntry } from '../api/types';

const ALL = 1n << 256n;
const SECRET = /^[0-9a-f]{64}$/;

const bytesOf = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export const commitmentTo = (seed: string) => hexOf(sha256(bytesOf(seed)));

/** The outcome that follows from seed, contributions and the number of the draw; null: from these outcomes none. */
export function draw(
  outcomes: readonly (readonly [token: string, weight: string])[],
  seed: string,
  contributions: readonly (string | null)[],
  number: number,
): string | null {
  const weights = outcomes.map(([, weight]) => (/^\d{1,78}$/.test(weight) ? BigInt(weight) : -1n));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (weights.some((weight) => weight < 0n) || total <= 0n || total > ALL) return null;
  const given = contributions.map((one) => one ?? '').join(',');
  const below = ALL - (ALL % total);
  for (let attempt = 0; ; attempt += 1) {
    const code = hmac(bytesOf(seed), new TextEncoder().encode(`${number}:${attempt}:${given}`));
    const x = BigInt(`0x${hexOf(code)}`);
    if (x >= below) continue;
    let left = x % total;
    for (const [n, [token]] of outcomes.entries()) {
      const weight = weights[n] ?? 0n;
      if (left < weight) return token;
      left -= weight;
    }
  }
}

/** What this browser has kept of a match: the commitment as it was first told, and what its own seats contributed. */
export interface Kept {
  match: string;
  commitment: string;
  /** By seat. */
  contributions: Record<string, string>;
}

const KEPT = 'tavola.chance';
const MOST = 64;

function all(): Kept[] {
  const kept = load<unknown>(KEPT, []);
  return Array.isArray(kept) ? (kept as Kept[]).filter((one) => typeof one?.commitment === 'string') : [];
}

export const keptOf = (match: string): Kept | null => all().find((one) => one.match === match) ?? null;

const store = (one: Kept) =>
  save(KEPT, [one, ...all().filter(({ match }) => match !== one.match)].slice(0, MOST));

/** Keeps the commitment of a match as it is first told. */
export function noteCommitment(match: string, commitment: string): void {
  if (keptOf(match) === null) store({ match, commitment, contributions: {} });
}

/** What a seat contributes: random, and the same if it has to be sent again. */
export function contributionOf(match: string, seat: number, commitment: string): string {
  const kept = keptOf(match) ?? { match, commitment, contributions: {} };
  const known = kept.contributions[seat];
  if (known !== undefined) return known;
  const made = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  store({ ...kept, contributions: { ...kept.contributions, [seat]: made } });
  return made;
}

/** Somebody else has contributed for this seat: it was not this browser. */
export function forgetContribution(match: string, seat: number): void {
  const kept = keptOf(match);
  if (!kept) return;
  const contributions = Object.fromEntries(
    Object.entries(kept.contributions).filter(([known]) => known !== String(seat)),
  );
  store({ ...kept, contributions });
}

/** What became of drawing a finished match again. */
export interface Findings {
  /** Whether the commitment is the one that was kept; null: none was. */
  commitment: boolean | null;
  /** Whether the seed is the one committed to. */
  seed: boolean;
  /** Whether what was contributed here has entered; null: nothing was. */
  contribution: boolean | null;
  /** Whether the draws told of are those of the match, all of them. */
  complete: boolean;
  draws: { entry: LogEntry; right: boolean }[];
}

/** FairnessRecord a finished match again, `log`: as it was seen here. */
export function check(told: FairnessRecord, kept: Kept | null, log: readonly LogEntry[]): Findings {
  const { commitment, seed, contributions, draws } = told;
  const readable = SECRET.test(seed);
  const own = Object.entries(kept?.contributions ?? {});
  const drawn = log.flatMap((entry, place) => (entry.seat === -1 ? [{ entry, place }] : []));
  return {
    commitment: kept ? kept.commitment === commitment : null,
    seed: readable && commitmentTo(seed) === commitment,
    contribution: own.length === 0 ? null : own.every(([seat, one]) => contributions[Number(seat)] === one),
    complete: draws.length === drawn.length,
    draws: drawn.map(({ entry, place }, n) => {
      const one = draws[n];
      const right =
        readable &&
        one?.place === place &&
        one.token === entry.token &&
        draw(one.outcomes, seed, contributions, n + 1) === entry.token;
      return { entry, right };
    }),
  };
}

/** Whether nothing is wrong. */
export const fair = ({ commitment, seed, contribution, complete, draws }: Findings): boolean =>
  commitment !== false && seed && contribution !== false && complete && draws.every(({ right }) => right);
