/** The app under test: a server and a browser for the tests of a file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const tavola = process.env['TAVOLA'] ?? join(root, '.venv/bin/tavola');
const browserAt =
  process.env['CHROMIUM'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  );

interface Server {
  url: string;
  /** Kills the process without warning. */
  kill(): Promise<void>;
  /** Starts at the same address with the same database, and with these arguments. */
  start(...more: string[]): Promise<void>;
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
  let child: ChildProcess | null = null;

  const start = async (...more: string[]) => {
    let said = '';
    const now = spawn(
      tavola,
      [
        'serve',
        '--no-browser',
        '--port',
        String(port),
        '--database',
        `sqlite:///${join(folder, 'test.db')}`,
        ...more,
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    child = now;
    for (const stream of [now.stdout, now.stderr])
      stream.on('data', (data: Buffer) => (said += data.toString()));
    for (let wait = 0; wait < 200; wait += 1) {
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
    kill: () => end('SIGKILL'),
    async close() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(): Promise<Browser> {
  if (browserAt === undefined) throw new Error('There is no Chromium: name one with CHROMIUM=/path/to/it.');
  return chromium.launch({
    executablePath: browserAt,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

interface PageOptions extends BrowserContextOptions {
  /** The first address: the start page by default. */
  at?: string;
  /** Whether tips are shown. */
  explained?: boolean;
}

class TestApp {
  server!: Server;
  browser!: Browser;

  get url(): string {
    return this.server.url;
  }

  /** Opens a page in a profile of its own. `errors` collects its console errors. */
  async openPage({ at = this.url, explained = false, ...options }: PageOptions = {}): Promise<{
    page: Page;
    errors: string[];
  }> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
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
      if (['error', 'warning'].includes(message.type()) && !late && !blocked) errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(at);
    await page.waitForSelector('article .picture svg');
    return { page, errors };
  }
}

/** Starts the app for the tests of a file, the server with these arguments, and stops it afterwards. */
export function startApp(...arguments_: string[]): TestApp {
  const app = new TestApp();
  beforeAll(async () => {
    await Promise.all([
      serve(arguments_).then((server) => (app.server = server)),
      launch().then((browser) => (app.browser = browser)),
    ]);
  });
  afterAll(async () => {
    await app.browser?.close();
    await app.server?.close();
  });
  return app;
}

export type { TestApp };

/** Saves a screenshot to the folder SHOTS, if set. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Returns the violations that axe finds on the page or in a part of it. */
export async function accessibilityViolations(page: Page, part?: string): Promise<string[]> {
  // Evaluated by the debugger, as the page's policy forbids scripts.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (part) => (globalThis as unknown as { axe: typeof axe }).axe.run(part ?? document),
    part,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
