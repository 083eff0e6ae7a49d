/** The day of the puzzle of the day. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dailyOf } from '../../src/lib/learn/daily';
import { stubStorage } from '../fixtures';
import type { GamePuzzles } from '../../src/lib/api/types';

vi.mock('../../src/lib/platform/settings.svelte', () => ({ settings: { language: 'en' } }));

const KNOWN = [
  { game: 'test', themes: [], puzzles: ['a', 'b', 'c'].map((id) => ({ id })) },
] as unknown as GamePuzzles[];
const LATE = new Date(2026, 2, 1, 23, 58);
const EARLY = new Date(2026, 2, 2, 0, 2);

beforeEach(() => {
  stubStorage();
  vi.resetModules();
  vi.useFakeTimers({ now: LATE });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('document', { addEventListener: () => undefined, removeEventListener: () => undefined });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open() {
  const page = await import('../../src/lib/learn/puzzles.svelte');
  const { progress } = await import('../../src/lib/learn/puzzleProgress.svelte');
  page.puzzles.known = KNOWN;
  return { ...page, progress };
}

test('a puzzle opened before midnight and solved after it counts for its day', async () => {
  const { markPuzzle, progress } = await open();
  const id = dailyOf(KNOWN, '2026-03-01')?.puzzle.id ?? '';
  vi.setSystemTime(EARLY);
  markPuzzle('test', id, { clean: true, helped: false, opened: LATE });
  expect(progress().days).toEqual(['2026-03-01']);
});

test('a page that stays open shows the puzzle of the new day', async () => {
  const { daily, followDay } = await open();
  const end = followDay();
  const before = daily()?.puzzle.id;
  vi.setSystemTime(EARLY);
  vi.advanceTimersByTime(60_000);
  expect(daily()?.puzzle.id).toBe(dailyOf(KNOWN, '2026-03-02')?.puzzle.id);
  expect(daily()?.puzzle.id).not.toBe(before);
  end();
});
