/** A third language is files alone: a copy of the client with one more file of messages has it everywhere. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BLANK, startApp } from './app';
import { SHORT } from './play';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'tavola-language-'));
const dist = join(copy, 'dist');
const app = startApp();

/** Marks every text of a JSON value. */
const marked = (value: unknown): unknown => {
  if (typeof value === 'string') return `¤${value}`;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, marked(one)]));
};

/** Adds the made-up language wherever a JSON value has English. */
const translated = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(translated);
  if (value === null || typeof value !== 'object') return value;
  const all = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, translated(one)]));
  return 'en' in all ? { ...all, xx: marked(all['en']) } : all;
};

beforeAll(async () => {
  for (const name of ['src', 'public', 'scripts', 'messages', 'index.html', 'package.json'])
    cpSync(join(web, name), join(copy, name), { recursive: true });
  for (const name of ['vite.config.ts', 'svelte.config.js', 'tsconfig.json'])
    cpSync(join(web, name), join(copy, name));
  symlinkSync(join(web, 'node_modules'), join(copy, 'node_modules'));
  const english = JSON.parse(readFileSync(join(web, 'messages/en.json'), 'utf8')) as Record<string, string>;
  const { puzzles: _, ...known } = english;
  const messages = { ...(marked(known) as object), language_name: 'Xish', language_direction: 'rtl' };
  writeFileSync(join(copy, 'messages/xx.json'), JSON.stringify(messages));
  const vite = join(web, 'node_modules/vite/bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build'], {
    cwd: copy,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}, 300_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Serves the copy, and the server's answers as they are with files of the language there. */
async function serveCopy(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith('/api/')) {
      const url = route.request().url().replace('/rules/xx', '/rules/en');
      const response = await route.fetch({ url });
      const json = translated(await response.json()) as { html?: string };
      if (pathname.endsWith('/rules/xx')) json.html = `<h1>¤Rules</h1>${json.html ?? ''}`;
      return route.fulfill({ response, json });
    }
    const path = join(dist, pathname);
    if (pathname !== '/' && existsSync(path)) return route.fulfill({ path });
    if (route.request().isNavigationRequest()) return route.fulfill({ path: join(dist, 'index.html') });
    return route.continue();
  });
}

test('one file of messages adds a language to screens, lessons and rules', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await serveCopy(page);
  await page.goto(app.url);
  await page.getByRole('button', { name: '日本語' }).click();
  await page.getByRole('button', { name: 'Xish' }).click();
  const title = page.locator('article').first();
  await expect.poll(() => title.innerText()).toMatch(/¤/);
  expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
    'xx',
    'rtl',
  ]);
  // English replaces a missing message.
  await page.getByRole('link', { name: 'Puzzles', exact: true }).waitFor();
  await page.getByRole('button', { name: '¤Settings' }).click();
  await page.getByRole('radio', { name: 'Xish', checked: true }).waitFor();
  await page.goto(`${app.url}/learn`);
  await page.locator(`section[data-game=${SHORT}] li`).first().getByText(/^¤/).first().waitFor();
  await page.goto(`${app.url}/learn/${SHORT}/first`);
  await page.locator('h1').getByText(/^¤/).waitFor();
  await page.goto(`${app.url}/rules/${SHORT}`);
  await page.getByRole('heading', { name: '¤Rules' }).waitFor();
  expect(errors).toEqual([]);
});

test('what is built lists the language', { tags: 'long' }, () => {
  const read = (name: string) => readFileSync(join(dist, name), 'utf8');
  const manifest = JSON.parse(read('manifest.webmanifest')) as { description_localized: object };
  expect(Object.keys(manifest.description_localized)).toEqual(['ja', 'xx']);
  expect(read('service-worker.js')).toContain('"languages":["en","ja","xx"]');
});
