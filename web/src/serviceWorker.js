/**
 * The service worker: Tavola opens without the network after the first visit.
 *
 * The build writes the files of the client in place of `__FILES__`, so a new build is a new worker with a new cache.
 * Hashed files come from the cache. Pages, and what the API says about games, lessons and rules, come from the network
 * while there is one, and from the cache otherwise. The core in WebAssembly plays, searches and judges without the network.
 * Everything else (matches with others, accounts) needs it.
 */
const { version, files } = __FILES__;
const CACHE = `tavola-${version}`;
const SHELL = '/';
/** Answers of the API that change with the server's version only. */
const LASTING = [
  /^\/api\/games$/,
  /^\/api\/games\/[^/]+\/rules\/[^/]+$/,
  /^\/api\/(lessons|puzzles)$/,
  /^\/api\/games\/[^/]+\/(lessons|puzzles)$/,
  /^\/api\/games\/[^/]+\/cover$/,
];

// A new worker waits until the pages of the old build are closed: they may still load files of that build.
addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) =>
        Promise.all([
          cache
            .addAll([SHELL, ...files, '/api/games', '/api/lessons', '/api/puzzles'])
            .then(() => addGames(cache)),
          addIfThere(cache, '/core.wasm', 'application/wasm'),
        ]),
      ),
  );
});

/** A server built without Rust's WebAssembly target has no core.wasm. */
async function addIfThere(cache, path, type) {
  const answer = await fetch(path);
  if (answer.ok && answer.headers.get('content-type')?.startsWith(type)) await cache.put(path, answer);
}

/** Stores the parts of each game that are needed without the network: lessons, puzzles, its picture and its rule books. */
async function addGames(cache) {
  const games = await (await cache.match('/api/games')).json();
  const paths = games.flatMap(({ name }) =>
    ['lessons', 'puzzles', 'cover', 'rules/en', 'rules/ja'].map((rest) => `/api/games/${name}/${rest}`),
  );
  await Promise.all(paths.map((path) => addIfThere(cache, path, 'application/json')));
}

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(cacheFirst(request));
  else if (request.mode === 'navigate') event.respondWith(networkFirst(request, SHELL));
  else if (
    files.includes(pathname) ||
    pathname === '/core.wasm' ||
    LASTING.some((path) => path.test(pathname))
  )
    event.respondWith(networkFirst(request, request));
});

async function cacheFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** Fetches `request`, and stores and falls back to the answer for `stored`: a page is always the same shell. */
async function networkFirst(request, stored) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok && stored !== SHELL) await cache.put(stored, answer.clone());
    return answer;
  } catch (error) {
    const known = await cache.match(stored);
    if (known) return known;
    throw error;
  }
}
