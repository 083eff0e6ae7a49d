import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { stubStorage } from '../fixtures';
import {
  check,
  commitmentTo,
  contributionOf,
  draw,
  fair,
  forgetContribution,
  keptOf,
  noteCommitment,
} from '../../src/lib/match/fairness';
import { hmac, sha256 } from '../../src/lib/platform/sha256';
import type { FairnessRecord, LogEntry } from '../../src/lib/api/types';

interface Known {
  seed: string;
  commitment: string;
  contributions: (string | null)[];
  number: number;
  outcomes: [string, string][];
  token: string;
}

const KNOWN = JSON.parse(
  readFileSync(new URL('../../../tests/data/chance.json', import.meta.url), 'utf8'),
) as Known[];

const bytes = (count: number, from: number) => Uint8Array.from({ length: count }, (_, n) => from + 7 * n);

test.each([0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000])('hashes of %i bytes match a reference', (count) => {
  const message = bytes(count, count);
  expect(Buffer.from(sha256(message)).toString('hex')).toBe(
    createHash('sha256').update(message).digest('hex'),
  );
  for (const key of [bytes(32, 1), bytes(64, 2), bytes(100, 3)])
    expect(Buffer.from(hmac(key, message)).toString('hex')).toBe(
      createHmac('sha256', key).update(message).digest('hex'),
    );
});

test.each(KNOWN.map((known, n) => [n, known] as const))('known answer %i', (_, known) => {
  expect(commitmentTo(known.seed)).toBe(known.commitment);
  expect(draw(known.outcomes, known.seed, known.contributions, known.number)).toBe(known.token);
});

test.each([[[]], [[['*a', '0']]], [[['*a', '-1']]], [[['*a', 'x']]], [[['*a', '9'.repeat(78)]]]] as [
  [string, string][],
][])('no outcome follows from %j', (outcomes) => {
  expect(draw(outcomes, '00'.repeat(32), [null], 1)).toBeNull();
});

const entry = (seat: number, token: string): LogEntry => ({
  seq: 1,
  seat,
  turn: 1,
  token,
  label: { key: 'x' },
  move: null,
  events: [],
  late: false,
  planned: false,
});

/** A match of three draws, the second after an action. */
function match(): { told: FairnessRecord; log: LogEntry[] } {
  const seed = '12'.repeat(32);
  const contributions = ['ab'.repeat(32), null];
  const outcomes = Array.from({ length: 50 }, (_, n): [string, string] => [`*${n}`, String(n + 1)]);
  const token = (number: number) => draw(outcomes, seed, contributions, number) ?? '';
  const log = [entry(-1, token(1)), entry(0, 'move'), entry(-1, token(2)), entry(-1, token(3))];
  const draws = [0, 2, 3].map((ply) => ({ ply, token: log[ply]?.token ?? '', outcomes }));
  return { told: { commitment: commitmentTo(seed), seed, contributions, draws }, log };
}

describe('a finished match', () => {
  const kept = { match: 'm', commitment: match().told.commitment, contributions: { 0: 'ab'.repeat(32) } };

  test('is verified', () => {
    const { told, log } = match();
    const found = check(told, kept, log);
    expect(fair(found)).toBe(true);
    expect([found.commitment, found.seed, found.contribution]).toEqual([true, true, true]);
    expect(found.draws.map(({ entry: { token } }) => token)).toEqual(told.draws.map(({ token }) => token));
  });

  test('is verified without a stored commitment, and reported as such', () => {
    const { told, log } = match();
    const found = check(told, null, log);
    expect(fair(found)).toBe(true);
    expect([found.commitment, found.contribution]).toEqual([null, null]);
  });

  const changes: Record<string, (told: FairnessRecord, log: LogEntry[]) => void> = {
    'another seed': (told) => (told.seed = '13'.repeat(32)),
    'another seed with its commitment': (told) => {
      told.seed = '13'.repeat(32);
      told.commitment = commitmentTo(told.seed);
    },
    'a seed that is none': (told) => (told.seed = 'x'),
    'another commitment': (told) => (told.commitment = '00'.repeat(32)),
    'another contribution': (told) => (told.contributions = ['ac'.repeat(32), null]),
    'contributions in another order': (told) => told.contributions.reverse(),
    'another draw': (told, log) => {
      const wrong = told.draws[1]?.token === '*0' ? '*1' : '*0';
      (told.draws[1] as FairnessRecord['draws'][0]).token = wrong;
      (log[2] as LogEntry).token = wrong;
    },
    'a draw that was not in the match': (told) =>
      ((told.draws[1] as FairnessRecord['draws'][0]).token = '*?'),
    'draws in another order': (told) => told.draws.reverse(),
    'a draw too few': (told) => told.draws.pop(),
    'a draw too many': (_, log) => log.pop(),
    'other weights': (told) => {
      for (const { outcomes } of told.draws) outcomes.reverse();
    },
  };

  test.each(Object.keys(changes))('with %s fails', (name) => {
    const { told, log } = structuredClone(match());
    changes[name]?.(told, log);
    expect(fair(check(told, kept, log))).toBe(false);
  });

  test('names the wrong draw', () => {
    const { told, log } = structuredClone(match());
    changes['another draw']?.(told, log);
    expect(check(told, kept, log).draws.map(({ right }) => right)).toEqual([true, false, true]);
  });
});

describe('stored data', () => {
  beforeEach(() => {
    stubStorage();
  });

  test('the first commitment stays', () => {
    noteCommitment('m', 'first');
    noteCommitment('m', 'second');
    expect(keptOf('m')?.commitment).toBe('first');
    expect(keptOf('n')).toBeNull();
  });

  test('a seat repeats its contribution, and seats differ', () => {
    const one = contributionOf('m', 0, 'c');
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(contributionOf('m', 0, 'c')).toBe(one);
    expect(contributionOf('m', 1, 'c')).not.toBe(one);
    expect(contributionOf('n', 0, 'c')).not.toBe(one);
    forgetContribution('m', 0);
    expect(Object.keys(keptOf('m')?.contributions ?? {})).toEqual(['1']);
  });

  test('old matches are dropped', () => {
    for (let n = 0; n < 70; n += 1) noteCommitment(`m${n}`, 'c');
    expect(keptOf('m0')).toBeNull();
    expect(keptOf('m69')).not.toBeNull();
  });
});
