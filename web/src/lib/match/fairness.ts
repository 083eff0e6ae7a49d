/** Verification of random draws in the browser: docs/explanation/fairness.md. */
import { hmac, sha256 } from '../platform/sha256';
import { hasFields, isMapOf, isText } from '../platform/checks';
import { save, loadList } from '../platform/storage';
import type { FairnessRecord, LogEntry } from '../api/types';

const ALL = 1n << 256n;
const SECRET = /^[0-9a-f]{64}$/;

const bytesOf = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export const commitmentTo = (seed: string) => hexOf(sha256(bytesOf(seed)));

/**
 * Returns the outcome for a seed, contributions and the number of the draw; null: the outcomes are invalid.
 */
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

/** This browser's data of a match: the first commitment it saw, and its own contributions. */
export interface Kept {
  match: string;
  commitment: string;
  /** By seat. */
  contributions: Record<string, string>;
}

const KEPT = 'tavola.chance';
const MOST = 64;

const isKept = hasFields({ match: isText, commitment: isText, contributions: isMapOf(isText) });

const all = () => loadList<Kept>(KEPT, isKept);

export const keptOf = (match: string): Kept | null => all().find((one) => one.match === match) ?? null;

const store = (one: Kept) =>
  save(KEPT, [one, ...all().filter(({ match }) => match !== one.match)].slice(0, MOST));

/** Stores the first commitment of a match. */
export function noteCommitment(match: string, commitment: string): void {
  if (keptOf(match) === null) store({ match, commitment, contributions: {} });
}

/** Returns the contribution of a seat: random, and the same on every call. */
export function contributionOf(match: string, seat: number, commitment: string): string {
  const kept = keptOf(match) ?? { match, commitment, contributions: {} };
  const known = kept.contributions[seat];
  if (known !== undefined) return known;
  const contribution = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  store({ ...kept, contributions: { ...kept.contributions, [seat]: contribution } });
  return contribution;
}

/** Another browser contributed for this seat. */
export function forgetContribution(match: string, seat: number): void {
  const kept = keptOf(match);
  if (!kept) return;
  const contributions = Object.fromEntries(
    Object.entries(kept.contributions).filter(([known]) => known !== String(seat)),
  );
  store({ ...kept, contributions });
}

/** The result of the verification. */
export interface Findings {
  /** Whether the commitment is the stored one; null: none is stored. */
  commitment: boolean | null;
  /** Whether the seed matches the commitment. */
  seed: boolean;
  /** Whether the own contribution was used; null: none was made. */
  contribution: boolean | null;
  /** Whether the list contains exactly the draws of the match. */
  complete: boolean;
  draws: { entry: LogEntry; right: boolean }[];
}

/** Recomputes the draws of a finished match; `log`: the log as this browser has it. */
export function check(record: FairnessRecord, kept: Kept | null, log: readonly LogEntry[]): Findings {
  const { commitment, seed, contributions, draws } = record;
  const readable = SECRET.test(seed);
  const own = Object.entries(kept?.contributions ?? {});
  const drawn = log.flatMap((entry, ply) => (entry.seat === -1 ? [{ entry, ply }] : []));
  return {
    commitment: kept ? kept.commitment === commitment : null,
    seed: readable && commitmentTo(seed) === commitment,
    contribution: own.length === 0 ? null : own.every(([seat, one]) => contributions[Number(seat)] === one),
    complete: draws.length === drawn.length,
    draws: drawn.map(({ entry, ply }, n) => {
      const one = draws[n];
      const right =
        readable &&
        one?.ply === ply &&
        one.token === entry.token &&
        draw(one.outcomes, seed, contributions, n + 1) === entry.token;
      return { entry, right };
    }),
  };
}

/** Whether every check passed. */
export const fair = ({ commitment, seed, contribution, complete, draws }: Findings): boolean =>
  commitment !== false && seed && contribution !== false && complete && draws.every(({ right }) => right);
