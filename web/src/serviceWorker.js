/**
 * The service worker: Tavola opens without the network after the first visit.
 *
 * The build writes the files of the client in place of `__FILES__`, so a new build is a new worker with a new cache.
 * Hashed files come from the cache. Pages, and what the API says about games, lessons and rules, come from the network
 * while there is one, and from the cache otherwise. The core in WebAssembly plays, searches and judges without the network.
 * Everything else (matches with others, accounts) needs it.
 */
const { version, files, languages } = __FILES__;
const CACHE = `tavola-${version}`;
const SHELL = '/';
/** Answers of the API that change with the server's version only. */
const LASTING = [
  /^\/api\/games(\/[^/]+)?$/,
  /^\/api\/games\/[^/]+\/rules\/[^/]+$/,
  /^\/api\/(lessons|puzzles)$/,
  /^\/api\/games\/[^/]+\/(lessons|puzzles)$/,
  /^\/api\/games\/[^/]+\/cover$/,
];

/** How long a page or an answer that is stored waits for the network, in milliseconds. */
const PATIENCE = 3000;
/** The last positions of matches, which the page stores itself. */
const POSITIONS = 'tavola-positions';
/** The types of files by ending. */
const TYPES = { css: 'text/css', js: 'javascript', svg: 'image/svg', wasm: 'application/wasm' };

// A new worker waits until the pages of the old build are closed: they may still load files of that build.
addEventListener('install', (event) => {
  event.waitUntil(install());
});

async function install() {
  const cache = await caches.open(CACHE);
  // A server built without Rust's WebAssembly target has no core.wasm.
  const optional = add(cache, '/core.wasm');
  const paths = [SHELL, ...files, '/api/games', '/api/lessons', '/api/puzzles'];
  const stored = await Promise.all(paths.map((path) => add(cache, path)));
  if (!stored.every(Boolean)) throw new Error('This network does not lead to Tavola.');
  const games = await (await cache.match('/api/games')).json();
  const books = languages.map((language) => `/rules/${language}`);
  const parts = ['', '/lessons', '/puzzles', '/cover', ...books];
  await Promise.all(
    games.flatMap(({ name }) => parts.map((rest) => add(cache, `/api/games/${name}${rest}`))),
  );
  await optional;
}

/** Fetches and stores a file. Returns whether the answer was Tavola's. */
async function add(cache, path) {
  const answer = await fetch(path);
  const own = await isOwn(path, answer);
  if (own) await cache.put(path, answer);
  return own;
}

/** Whether an answer is Tavola's: a proxy or the sign-in page of a network may answer in its place. */
async function isOwn(path, answer) {
  if (!answer.ok || answer.redirected) return false;
  const type = answer.headers.get('content-type') ?? '';
  const text = () => answer.clone().text();
  if (path === SHELL) return type.startsWith('text/html') && (await text()).includes('id="app"');
  if (path.startsWith('/api/')) return type.startsWith('application/json') && isJson(await text());
  return type.includes(TYPES[path.split('.').at(-1)]);
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name !== CACHE && name !== POSITIONS).map((name) => caches.delete(name)),
        ),
      )
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
    event.respondWith(networkFirst(request, pathname));
});

async function cacheFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/**
 * Answers with the network's answer, and stores it for `path`; a page is always the same shell. Without a network, after
 * an error of the server or a foreign answer, and when it takes too long, the stored answer is used.
 */
async function networkFirst(request, path) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(path);
  const answer = fetch(request).then(async (fresh) => {
    const own = path === SHELL ? fresh.status < 500 : await isOwn(path, fresh);
    if (own && path !== SHELL) await cache.put(path, fresh.clone());
    return own || !known ? fresh : known;
  });
  if (!known) return answer;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, known));
  return Promise.race([answer.catch(() => known), late]);
}

// A notification of the server, while no page is open. The server wrote its words in the reader's language.
addEventListener('push', (event) => {
  const { id, title, body, path } = event.data.json();
  event.waitUntil(
    // The tag replaces an earlier delivery of the same event.
    registration.showNotification(title, { body, tag: `event-${id}`, icon: '/icon.svg', data: { path } }),
  );
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.path));
});

/** Shows a page: the window that shows it already, or a new one. */
async function show(path) {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find(({ url }) => new URL(url).pathname === path);
  return open ? open.focus() : clients.openWindow(path);
}
