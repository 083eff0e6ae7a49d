/** The core in WebAssembly: the module itself where it is built, and the client with its worker. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../src/lib/api/http';
import { CoreClient, type CoreWorker } from '../../src/lib/core/client';
import { CoreFault, CoreModule } from '../../src/lib/core/module';
import { CoreService } from '../../src/lib/core/service';
import { summarize } from '../../src/lib/review/summary';
import type { Balance, JudgedAction } from '../../src/lib/api/types';
import type { CoreAnalysis, FromWorker, LessonData, Place, ToWorker } from '../../src/lib/core/types';

const built = fileURLToPath(new URL('../../../target/wasm/core.wasm', import.meta.url));
const place: Place = { game: 'potlatch', options: {}, position: null, line: [] };

/** A puzzle of a game's folder. */
interface StoredPuzzle {
  id: string;
  options?: string;
  position: string;
  seat: number;
  play: string;
  wrong: { play: string; reply?: string }[];
}

/** A client whose worker is a service on this thread. */
function connect(module: Promise<CoreModule>): CoreClient {
  const worker: CoreWorker = {
    onmessage: null,
    onerror: null,
    terminate: vi.fn(),
    postMessage: (message: ToWorker) => void service.receive(message),
  };
  const service = new CoreService(module, (data: FromWorker) =>
    queueMicrotask(() => worker.onmessage?.({ data } as MessageEvent<FromWorker>)),
  );
  return new CoreClient(() => worker);
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof ApiError ? error.problem.code : error),
  );

/** A module that answers from a list. */
function answering(...answers: (object | CoreFault)[]): Promise<CoreModule> {
  const call = vi.fn(() => {
    const next = answers.length > 1 ? answers.shift() : answers[0];
    if (next instanceof Error) throw next;
    return next;
  });
  return Promise.resolve({ call } as unknown as CoreModule);
}

const part = (more: Partial<CoreAnalysis> = {}): CoreAnalysis => ({
  best: 'a',
  shares: [0.5, 0.5],
  margins: [0, 0],
  winners: null,
  nodes: 10,
  seconds: 0.1,
  full: false,
  lines: [],
  ...more,
});

// `make build` and CI build the module; without the target of Rust there is none.
test.runIf(existsSync(built))('the built module plays, explains, reads records and searches', async () => {
  const core = connect(CoreModule.instantiate(readFileSync(built)));
  const start = await core.ask('position', place);
  expect(start.to_act).toBe(0);
  const [action] = start.view.actions;
  const line = [action?.token ?? ''];
  const entry = await core.ask('entry', { ...place, line });
  expect(entry).toMatchObject({ seat: 0, turn: 1, token: line[0], label: action?.label });
  expect(await codeOf(core.ask('position', { ...place, line: ['?'] }))).toBe('illegal-line');
  const read = await core.ask('read-record', {
    text: `[Game "potlatch"]\n\n1. ${line.join()} {good}\n?? Q`,
    number: 0,
    language: 'en',
  });
  expect(read.nodes).toMatchObject([{ parent: null, token: line[0], comments: ['good'] }]);
  expect(read.faults.map((fault) => fault.line)).toEqual([4]);
  // Black's counters fill row 1 but for c1, and KING leads there from c2.
  const won = 'Rc+:Bc/Bc+:Bs/Yc+/Rs:Wc/Bs:Ws/Ys:Bt/Rt:Wt/Bt/Yt B 9 -';
  const proof = await core.ask('prove', { ...place, game: 'proteus', position: won });
  expect(proof).toEqual({ plies: 1, proof: { winner: 0, plies: 1 } });
  // Blue walls itself in.
  const lost = { ...place, line: 'Pnw Pw Pne Pe Pse Pse'.split(' ') };
  const why = await core.ask('why-not', { ...lost, token: 'Cw', nodes: 500, seconds: 1 });
  expect(why).toMatchObject({ seat: 1, good: false, loses: true, action: { token: 'Cw' }, line: [] });
  expect(why.end).toMatchObject({ key: 'outcome.blocked' });
  expect(await codeOf(core.ask('why-not', { ...lost, token: '?', nodes: 500, seconds: 1 }))).toBe(
    'illegal-line',
  );
  const parts: CoreAnalysis[] = [];
  const search = core.search(place, { seconds: 60, lines: 3 }, (one) => {
    parts.push(one);
    if (parts.length === 3) search.stop();
  });
  await search.done;
  const [first, last] = [parts[0], parts.at(-1)];
  expect(parts.length).toBeGreaterThan(1);
  expect(last?.nodes).toBeGreaterThan(first?.nodes ?? Infinity);
  expect(last?.lines).toHaveLength(3);
});

test.runIf(existsSync(built))('the balance of a game is the one of the built module', async () => {
  const core = connect(CoreModule.instantiate(readFileSync(built)));
  const shares = [0.5, 0.3, 0.75, 0.7, 0.1, 1].map((share) => [share, 1 - share]);
  const actions = shares.slice(1).map((_, place): JudgedAction => {
    const [effect, unforeseen] = [
      [-0.1, 0.1],
      [0.05 * place, -0.05 * place],
    ];
    const seat = (place % 3) - 1;
    return { token: 'a', seat, turn: 1, best: null, cost: 0, margin: 0, grade: null, effect, unforeseen };
  });
  const { balances, decisive } = await core.ask('summarize', { shares, actions });
  const own = summarize(
    shares.map((shares) => ({ shares })),
    actions,
  );
  expect(own.decisive).toEqual(decisive);
  for (const [seat, balance] of balances.entries())
    for (const [part, share] of Object.entries(balance))
      expect(own.balances[seat]?.[part as keyof Balance]).toBeCloseTo(share);
});

test.runIf(existsSync(built))(
  'the built module refutes the wrong turns of puzzles',
  async () => {
    const core = connect(CoreModule.instantiate(readFileSync(built)));
    const games = await Promise.all(
      ['montana', 'passtally', 'potlatch', 'proteus'].map(async (game) => {
        const path = new URL(`../../../games/${game}/puzzles.json`, import.meta.url);
        const { puzzles } = JSON.parse(await readFile(path, 'utf8')) as { puzzles: StoredPuzzle[] };
        return puzzles.filter((_, place) => place % 40 === 0).map((puzzle) => ({ game, ...puzzle }));
      }),
    );
    const why = { en: 'It loses.', ja: '負けます。' };
    const otherwise = { en: 'Another turn.', ja: '別の手。' };
    let refuted = 0;
    for (const { game, id, options = '', position, seat, play, wrong } of games.flat()) {
      const tries = wrong.map((one) => ({ ...one, why }));
      const step = { task: why, done: why, accept: [play], otherwise, seat, position, whole: true };
      const lesson = (known: object[]) =>
        ({ id, options, steps: [{ ...step, wrong: known }] }) as unknown as LessonData;
      for (const { play, reply = '' } of wrong) {
        const line = play.split(' ');
        const found = await core.ask('lesson', { game, lesson: lesson(tries), step: 0, line });
        expect(found, `${game} ${id} ${play}`).toMatchObject({ status: 'wrong', text: why });
        const replied = found.log.slice(found.log.findLastIndex((entry) => entry.seat === seat) + 1);
        expect(replied.flatMap((entry) => (entry.seat < 0 ? [] : [entry.token])).join(' ')).toBe(reply);
        refuted += reply === '' ? 0 : 1;
        // Another wrong turn has the common answer, and no reply.
        const common = await core.ask('lesson', { game, lesson: lesson([]), step: 0, line });
        expect(common).toMatchObject({ status: 'wrong', text: otherwise });
        expect(common.log.length).toBeLessThanOrEqual(found.log.length);
      }
      const solved = await core.ask('lesson', {
        game,
        lesson: lesson(tries),
        step: 0,
        line: play.split(' '),
      });
      expect(solved.status).toBe('done');
    }
    expect(refuted).toBeGreaterThan(10);
  },
  30_000,
);

test('answers find their requests, and faults have their code', async () => {
  const core = connect(answering({ text: 'one' }, new CoreFault('illegal', 'why'), { text: 'three' }));
  const [one, two, three] = await Promise.all([
    core.ask('position', place),
    codeOf(core.ask('position', place)),
    core.ask('position', place),
  ]);
  expect([one, two, three]).toEqual([{ text: 'one' }, 'illegal-line', { text: 'three' }]);
});

test('a search adds up its parts and ends at a proven result', async () => {
  const core = connect(answering(part(), part({ winners: [1] })));
  const parts: CoreAnalysis[] = [];
  await core.search(place, { seconds: 60, lines: 1 }, (one) => parts.push(one)).done;
  expect(parts.map(({ nodes, winners }) => [nodes, winners])).toEqual([
    [10, null],
    [20, [1]],
  ]);
});

test('a stopped search reports nothing more, and ends', async () => {
  const core = connect(answering(part()));
  const onpart = vi.fn();
  const search = core.search(place, { seconds: 1e9, lines: 1 }, onpart);
  await vi.waitFor(() => expect(onpart).toHaveBeenCalled());
  search.stop();
  const count = onpart.mock.calls.length;
  await search.done;
  expect(onpart).toHaveBeenCalledTimes(count);
});

test('a missing module, a missing WebAssembly and a trap are told apart', async () => {
  const missing = new Response('<html>', { headers: { 'Content-Type': 'text/html' } });
  vi.stubGlobal('fetch', () => Promise.resolve(missing));
  expect(await codeOf(connect(CoreModule.fetch('/core.wasm')).ask('position', place))).toBe('no-core');
  const broken = new Response('x', { headers: { 'Content-Type': 'application/wasm' } });
  vi.stubGlobal('fetch', () => Promise.resolve(broken));
  expect(await codeOf(connect(CoreModule.fetch('/core.wasm')).ask('position', place))).toBe('no-webassembly');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
  expect(await codeOf(connect(CoreModule.fetch('/core.wasm')).ask('position', place))).toBe('offline');
  vi.stubGlobal('WebAssembly', undefined);
  expect(await codeOf(connect(CoreModule.fetch('/core.wasm')).ask('position', place))).toBe('no-webassembly');
  vi.unstubAllGlobals();
  const trap = Promise.resolve({
    call: () => {
      throw new RangeError('memory');
    },
  } as unknown as CoreModule);
  expect(await codeOf(connect(trap).ask('position', place))).toBe('core-crashed');
});

test('without workers every request says so, and a closed client answers nothing', async () => {
  const none = new CoreClient(() => {
    throw new ReferenceError('Worker is not defined');
  });
  expect(await codeOf(none.ask('position', place))).toBe('no-webassembly');
  const core = connect(new Promise(() => undefined));
  const asked = codeOf(core.ask('position', place));
  core.close();
  expect(await asked).toBe('stopping');
});
