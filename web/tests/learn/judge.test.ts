/** The judge of lessons: the core as soon as it is loaded, before that and without it the server. */
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../src/lib/api/http';
import { Judge } from '../../src/lib/learn/judge';
import type { CoreClient } from '../../src/lib/core/client';
import type { CoreLessonPosition, LessonData } from '../../src/lib/core/types';

vi.mock('../../src/lib/platform/settings.svelte', () => ({ settings: { language: 'en' } }));

const at = { game: 'test', lesson: 'one', step: 0, line: ['a'] };
const lesson = { id: 'one', options: 'players=3', steps: [] } as unknown as LessonData;
const judged = {
  status: 'done',
  seat: 0,
  options: { players: '3' },
  position: 'here',
  log: [{ seat: 0, turn: 1, token: 'a', label: null, move: null, events: [] }],
} as unknown as CoreLessonPosition;

/** A core that answers every request, or fails with a code. */
function coreWith(code: string | null) {
  const ask = vi.fn((name: string) =>
    code === null
      ? Promise.resolve(name === 'lesson' ? judged : null)
      : Promise.reject(new ApiError({ code, params: {}, message: '' }, 0)),
  );
  return { ask, core: () => ({ ask, close: () => undefined }) as unknown as CoreClient };
}

const answering = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(answer));
const fromServer = () => Promise.resolve(new Response(JSON.stringify({ status: 'playing', log: [] })));
const offline = () => Promise.reject(new TypeError('no network'));

afterEach(() => vi.unstubAllGlobals());

test('the server answers until the core is loaded, then the core does', async () => {
  answering(fromServer);
  let arrive: (data: LessonData) => void = () => undefined;
  const { ask, core } = coreWith(null);
  const judge = new Judge('test', 'one', core, () => new Promise((resolve) => (arrive = resolve)));
  expect((await judge.position(at)).status).toBe('playing');
  expect(ask).not.toHaveBeenCalled();
  await judge.prospect(at, 'a');
  expect(ask).not.toHaveBeenCalled();
  arrive(lesson);
  await vi.waitFor(async () => expect((await judge.position(at)).status).toBe('done'));
  expect((await judge.position(at)).log).toEqual([
    expect.objectContaining({ seq: 1, token: 'a', label: { key: 'action.a' }, late: false, planned: false }),
  ]);
  const asked = vi.mocked(fetch).mock.calls.length;
  await judge.explain(at, ['x'], 90);
  expect(ask).toHaveBeenLastCalledWith('explain', {
    game: 'test',
    options: { players: '3' },
    position: 'here',
    line: [],
    touched: ['x'],
    turn: 90,
  });
  expect(vi.mocked(fetch).mock.calls.length).toBe(asked);
});

test('without the network the first position waits for the core', async () => {
  answering(offline);
  const judge = new Judge('test', 'one', coreWith(null).core, () => Promise.resolve(lesson));
  expect((await judge.position(at)).status).toBe('done');
});

test.each(['no-webassembly', 'no-core', 'unknown-game'])('after %s the server judges', async (code) => {
  answering(fromServer);
  const judge = new Judge('test', 'one', coreWith(code).core, () => Promise.resolve(lesson));
  expect((await judge.position(at)).status).toBe('playing');
  expect((await judge.position(at)).status).toBe('playing');
});

test('without the network and the core the lesson cannot go on', async () => {
  answering(offline);
  const judge = new Judge('test', 'one', coreWith('no-core').core, () => Promise.resolve(lesson));
  await expect(judge.position(at)).rejects.toMatchObject({ problem: { code: 'offline' } });
});
