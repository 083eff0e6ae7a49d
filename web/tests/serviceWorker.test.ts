/** The service worker: which answer a page gets, and what is stored. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const source = readFileSync(new URL('../src/serviceWorker.js', import.meta.url), 'utf8').replace(
  '= __FILES__',
  '= { version: "1", files: ["/icon.svg"], languages: ["en"] }',
);

interface FetchEvent {
  request: { url: string; method: string; mode: string };
  respondWith: (answer: Promise<Response>) => void;
}

const stored = new Map<string, Response>();
let network: () => Promise<Response>;
let onfetch: (event: FetchEvent) => void;

const answer =
  (body: string, type: string, status = 200) =>
  () =>
    Promise.resolve(new Response(body, { status, headers: { 'content-type': type } }));

beforeEach(() => {
  vi.useFakeTimers();
  stored.clear();
  stored.set('/', new Response('<div id="app">stored'));
  stored.set('/api/puzzles', new Response('["stored"]'));
  const cache = {
    match: (path: string) => Promise.resolve(stored.get(path)?.clone()),
    put: (path: string, fresh: Response) => Promise.resolve(stored.set(path, fresh)),
  };
  const listen = (kind: string, heard: typeof onfetch) => {
    if (kind === 'fetch') onfetch = heard;
  };
  new Function('caches', 'fetch', 'addEventListener', 'location', source)(
    { open: () => Promise.resolve(cache) },
    () => network(),
    listen,
    { origin: 'http://t' },
  );
});

afterEach(() => vi.useRealTimers());

async function ask(path: string, mode = 'cors'): Promise<string> {
  let given: Promise<Response> | undefined;
  onfetch({
    request: { url: `http://t${path}`, method: 'GET', mode },
    respondWith: (promise) => (given = promise),
  });
  await vi.advanceTimersByTimeAsync(5000);
  return (await given)?.text() ?? 'not handled';
}

test('a page of a proxy without a server behind it is replaced by the stored page', async () => {
  network = answer('<h1>Bad gateway</h1>', 'text/html', 502);
  expect(await ask('/learn', 'navigate')).toBe('<div id="app">stored');
  expect(await ask('/api/puzzles')).toBe('["stored"]');
});

test('a server that hangs costs a few seconds', async () => {
  network = () => new Promise(() => undefined);
  expect(await ask('/learn', 'navigate')).toBe('<div id="app">stored');
  expect(await ask('/api/puzzles')).toBe('["stored"]');
});

test.each([
  ['a page', 'text/html'],
  ['a page', 'application/json'],
])('%s of the network sent as %s is not stored as the puzzles', async (body, type) => {
  network = answer(body, type);
  expect(await ask('/api/puzzles')).toBe('["stored"]');
  expect(await stored.get('/api/puzzles')?.clone().text()).toBe('["stored"]');
});

test('the answer of the server is used and stored', async () => {
  network = answer('["new"]', 'application/json');
  expect(await ask('/api/puzzles')).toBe('["new"]');
  expect(await stored.get('/api/puzzles')?.clone().text()).toBe('["new"]');
});
