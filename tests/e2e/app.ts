/** The app under test: a server and a browser, which the test files of a worker share. */
import { randomBytes } from 'node:crypto';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const tavola = process.env['TAVOLA'] ?? join(root, '.venv/bin/tavola');

interface Server {
  url: string;
  /** Kills the process without warning. */
  kill(): Promise<void>;
  /** Starts, unless it runs, at the same address with the same database, and with these arguments. */
  start(...more: string[]): Promise<void>;
  /** Runs a command of the host on its database. */
  admin(...command: string[]): void;
  close(): Promise<void>;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

async function serve(arguments_: string[]): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'tavola-e2e-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const database = ['--database', `sqlite:///${join(folder, 'test.db')}`];
  let child: ChildProcess | null = null;
  // A worker ends without further notice.
  const atExit = () => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', atExit);

  const start = async (...more: string[]) => {
    if (child && child.exitCode === null && child.signalCode === null) return;
    let said = '';
    const now = spawn(tavola, ['serve', '--no-browser', '--port', String(port), ...database, ...more], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = now;
    for (const stream of [now.stdout, now.stderr])
      stream.on('data', (data: Buffer) => (said += data.toString()));
    for (let wait = 0; wait < 600; wait += 1) {
      if (now.exitCode !== null) throw new Error(`${tavola} serve ended with ${now.exitCode}:\n${said}`);
      const answered = await fetch(`${url}/api/games`).then(
        (response) => response.ok,
        () => false,
      );
      if (answered) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${tavola} serve does not answer:\n${said}`);
  };
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) resolve();
      else child.once('exit', () => resolve()).kill(signal);
    });

  await start(...arguments_);
  return {
    url,
    start,
    admin(...command) {
      const { status, stderr } = spawnSync(tavola, ['admin', ...command, ...database], { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
    },
    kill: () => end('SIGKILL'),
    async close() {
      await end('SIGTERM');
      process.off('exit', atExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(): Promise<Browser> {
  const { stdout } = spawnSync(join(root, 'scripts/find-chromium'), { encoding: 'utf8' });
  if (!stdout) throw new Error('There is no Chromium: name one with CHROMIUM=/path/to/it.');
  return chromium.launch({
    executablePath: stdout.trim(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A match opened by its address makes sounds before the first click.
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
}

/** An address of the app that loads quickly: a picture. */
export const BLANK = '/icon.svg';

interface PageOptions extends BrowserContextOptions {
  /** The first address, within the app: the start page by default. */
  at?: string;
  /** Whether tips are shown. */
  explained?: boolean;
}

class TestApp {
  server!: Server;
  browser!: Browser;
  /** As behind a proxy: the server limits the new accounts of an address, and the files of a worker share it. */
  private readonly address = `198.18.${randomBytes(2).join('.')}`;

  get url(): string {
    return this.server.url;
  }

  /** Opens a page in a profile of its own. `errors` collects its console errors. */
  async openPage({ at = '/', explained = false, ...options }: PageOptions = {}): Promise<{
    page: Page;
    errors: string[];
  }> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      extraHTTPHeaders: { 'x-forwarded-for': this.address },
      ...options,
    });
    if (!explained) {
      await context.addInitScript(() => {
        const known = localStorage.getItem('tavola.settings');
        if (known === null) localStorage.setItem('tavola.settings', JSON.stringify({ explain: false }));
      });
    }
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const errors: string[] = [];
    page.on('console', (message) => {
      // Status 409 for a question about a past position is no error.
      const late = /Failed to load resource.*\b409\b/.test(message.text());
      // Playwright warns about the service worker that it blocks.
      const blocked = message.text() === 'Service Worker registration blocked by Playwright';
      // Chromium asks for it at the address of a picture.
      const icon = message.location().url.endsWith('/favicon.ico');
      if (['error', 'warning'].includes(message.type()) && !late && !blocked && !icon)
        errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(new URL(at, this.url).href);
    if (at === '/') await page.waitForSelector('article .picture svg[role=img]');
    return { page, errors };
  }
}

/** Of this worker, for all its files. */
let browser: Promise<Browser> | undefined;
let server: Promise<Server> | undefined;
process.once('SIGTERM', () => process.exit());

/**
 * Provides the app to the tests of a file, and closes the pages of each test. `own`: arguments of a server for this
 * file alone.
 */
export function startApp({ own }: { own?: string[] } = {}): TestApp {
  const app = new TestApp();
  beforeAll(async () => {
    browser ??= launch();
    app.server = await (own ? serve(own) : (server ??= serve([])));
    // A failed test may have left it ended.
    await app.server.start();
    app.browser = await browser;
  });
  afterEach(async () => {
    await Promise.all(app.browser.contexts().map((context) => context.close()));
  });
  afterAll(async () => {
    if (own) await app.server?.close();
  });
  return app;
}

export type { TestApp };

/** The name of a new account: new in every try of a test, since files and tries share a server. */
export const newName = (base: string): string => `${base}${randomBytes(3).toString('hex')}`;

/** Saves a screenshot to the folder SHOTS, if set. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** The rules of axe that look at colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the violations that axe finds on the page or in a part of it. `colours`: only those of colours, for a page
 * that has been looked at in its other colours.
 */
export async function accessibilityViolations(
  page: Page,
  part?: string,
  { colours = false } = {},
): Promise<string[]> {
  // Evaluated by the debugger, as the page's policy forbids scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    ([part, rules]) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(part ?? document, {
        resultTypes: ['violations'],
        ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
      }),
    [part, colours ? OF_COLOURS : undefined] as const,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

export async function boxOf(part: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await part.boundingBox();
  if (!box) throw new Error('It is not on the screen.');
  return box;
}

/** The options of a page on a phone. */
export const phone = (width: number, height: number) => ({
  viewport: { width, height },
  hasTouch: true,
  isMobile: true,
});
