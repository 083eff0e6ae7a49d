import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Prospects } from '../../src/lib/match/prospects.svelte';
import type { Prospect } from '../../src/lib/api/view';
import { action, piece } from '../fixtures';

const something: Prospect = { pieces: [piece('p', 'a')], lines: [], texts: [{ key: 'points' }] };
const nothing: Prospect = { pieces: [], lines: [], texts: [] };

let asked: string[];
let told: string[];
let answers: ((prospect: Prospect | null) => void)[];
let prospects: Prospects<number>;

beforeEach(() => {
  vi.useFakeTimers();
  [asked, told, answers] = [[], [], []];
  prospects = new Prospects(
    (seq, token) => {
      asked.push(`${seq} ${token}`);
      return new Promise((answer) => answers.push(answer));
    },
    ({ token }) => told.push(token),
  );
});

afterEach(() => vi.useRealTimers());

const pause = () => vi.advanceTimersByTimeAsync(100);
const answer = async (prospect: Prospect | null) => {
  answers.shift()?.(prospect);
  await vi.advanceTimersByTimeAsync(0);
};

test('a prospect is fetched once, and only after a moment', async () => {
  prospects.look(action('x', ['x']), 1);
  prospects.look(action('y', ['y']), 1);
  await pause();
  expect(asked).toEqual(['1 y']);
  await answer(something);
  expect(prospects.shown).toBe(something);
  prospects.look(null, 1);
  expect(prospects.shown).toBeNull();
  prospects.look(action('y', ['y']), 1);
  await pause();
  expect(prospects.shown).toBe(something);
  expect(prospects.of(action('y', ['y']))).toBe(something);
  expect(asked).toEqual(['1 y']);
  expect(told).toEqual(['y', 'y']);
});

test('a late answer is not shown', async () => {
  prospects.look(action('x', ['x']), 1);
  await pause();
  prospects.look(action('y', ['y']), 1);
  await answer(something);
  expect(prospects.shown).toBeNull();
  await pause();
  prospects.look(action('y', ['y']), 2);
  await answer(something);
  expect(prospects.shown).toBeNull();
  expect(told).toEqual([]);
});

test('a kind of action without prospects is not asked again', async () => {
  prospects.look(action('x', ['x'], { kind: 'walk' }), 1);
  await pause();
  await answer(nothing);
  prospects.look(action('y', ['y'], { kind: 'walk' }), 2);
  await pause();
  prospects.look(action('z', ['z'], { kind: 'lay' }), 2);
  await pause();
  expect(asked).toEqual(['1 x', '2 z']);
  await answer(null);
  expect(prospects.shown).toBeNull();
});
