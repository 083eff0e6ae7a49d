import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../src/lib/api/http';
import { Explorer } from '../../src/lib/analysis/explorer.svelte';
import type { Shown } from '../../src/lib/analysis/tree.svelte';
import type { Explored } from '../../src/lib/api/archive';

vi.mock('../../src/lib/platform/settings.svelte', () => ({ settings: { language: 'en' } }));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const shown = (text: string) =>
  ({
    place: { game: 'test', options: {}, position: null, line: [] },
    position: { text },
  }) as unknown as Shown;

const found = (server: number): Explored => ({ seat: 0, server, engines: 0, has_engines: true, actions: [] });

function explorer() {
  const asked: string[] = [];
  const state = { offline: false };
  const made = new Explorer(({ position }) => {
    asked.push(position ?? '');
    if (state.offline) return Promise.reject(new ApiError({ code: 'offline', params: {}, message: '' }, 0));
    return Promise.resolve(found(asked.length));
  });
  return { made, asked, state };
}

test('it asks for the position where the user stays, once, and only while it is on', async () => {
  const { made, asked } = explorer();
  made.look(shown('a'));
  await vi.runAllTimersAsync();
  expect(asked).toEqual([]);
  made.setOn(true);
  made.look(shown('b'));
  made.look(shown('c'));
  expect(made.running).toBe(true);
  await vi.runAllTimersAsync();
  expect(asked).toEqual(['c']);
  expect([made.running, made.result?.server]).toEqual([false, 1]);
  made.look(shown('d'));
  expect(made.result).toBeNull();
  await vi.runAllTimersAsync();
  made.look(shown('c'));
  expect(made.result?.server).toBe(1);
  expect(asked).toEqual(['c', 'd']);
});

test('without the server it says so, and tries again', async () => {
  const { made, state } = explorer();
  made.setOn(true);
  state.offline = true;
  made.look(shown('a'));
  await vi.runAllTimersAsync();
  expect([made.problem?.code, made.running, made.result]).toEqual(['offline', false, null]);
  state.offline = false;
  made.restart();
  await vi.runAllTimersAsync();
  expect([made.problem, made.result?.server]).toEqual([null, 2]);
});
