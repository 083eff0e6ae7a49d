/** The explorer on the analysis board, the archive, and what is shared: link previews, files, the widget. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, screenshot, startApp, BLANK, phone } from './app';
import { chooseEntry } from './menu';
import { openMatchAfter } from './play';

// The numbers of games on the server are tested.
const app = startApp({ own: [] });

/** Blue walls itself in, and Red wins. */
const SHORTEST = 'Pnw Pw Pne Pe Pse Pse Cw'.split(' ');

async function ply(page: Page, wanted: number): Promise<void> {
  await page.locator(`.prompt[data-ply="${wanted}"]`).waitFor();
}

const explorer = (page: Page, locale = 'en') =>
  page.getByRole('region', { name: locale === 'ja' ? '局面検索' : 'Explorer' });
const rows = (page: Page) => explorer(page).getByRole('listitem');
const games = (page: Page) => page.locator('main .things > li');

/** The numbers of engine games and of games on this server, as the explorer says them. */
async function counts(page: Page): Promise<number[]> {
  const said = explorer(page).getByText(/Engine games: .*\. Games on this server: /);
  const text = (await said.innerText()).replaceAll(',', '');
  return [...text.matchAll(/\d+/g)].map(([number]) => Number(number));
}

test(
  'the explorer shows what was played, plays it, and leads to the games with the position',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage({ at: '/analysis?game=potlatch' });
    await ply(page, 0);
    await page.getByRole('button', { name: 'Explorer' }).click();
    await rows(page).first().waitFor();
    const [engines = 0, server] = await counts(page);
    expect(engines).toBeGreaterThanOrEqual(10_000);
    expect(server).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'explorer-desk');
    await rows(page).first().getByRole('button').press('Enter');
    await ply(page, 1);
    await expect.poll(async () => (await counts(page))[0]).toBeLessThan(engines);
    const [fewer = 0] = await counts(page);
    // The position is remembered, and the switch too.
    await page.reload();
    await rows(page).first().waitFor();
    await page.getByRole('link', { name: 'Games with this position' }).click();
    await page.getByRole('heading', { name: `Games: ${fewer.toLocaleString('en')}` }).waitFor();
    await page.getByText('With the position').waitFor();
    await games(page).first().getByRole('link').click();
    await ply(page, 1);
    expect(await page.locator('.tree .entry button').count()).toBeGreaterThan(5);
    expect(errors).toEqual([]);
  },
);

test('a row under the pointer or the focus marks its action on the board', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage({ at: '/analysis?game=potlatch' });
  await ply(page, 0);
  await page.getByRole('button', { name: 'Explorer' }).click();
  const row = (at: number) => rows(page).nth(at).getByRole('button');
  const marks = page.locator('.board .suggestions .rank');
  const texts = async () => (await marks.allTextContents()).map((text) => text.trim());
  const end = () => marks.first().getAttribute('transform');
  await row(0).hover();
  await expect.poll(texts).toEqual(['1']);
  const first = await end();
  await row(1).focus();
  await expect.poll(texts).toEqual(['2']);
  expect(await end()).not.toBe(first);
  await page.locator('h1').hover();
  await page.locator('h1').click();
  await expect.poll(() => marks.count()).toBe(0);
  // Where nothing can be marked, a row still plays its action.
  await row(1).click();
  await ply(page, 1);
  await page.mouse.move(0, 0);
  await expect.poll(() => marks.count()).toBe(0);
  expect(errors).toEqual([]);
});

test('random events are counted too', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage({ at: '/analysis?game=passtally' });
  // Three draws come before the first decision.
  await ply(page, 3);
  await page.locator('h1').click();
  await page.keyboard.press('Home');
  await ply(page, 0);
  await page.getByRole('button', { name: 'Explorer' }).click();
  await rows(page).first().waitFor();
  expect(await rows(page).count()).toBe(6);
  const [before = 0] = await counts(page);
  await rows(page).first().getByRole('button').click();
  // The other random events follow by themselves.
  await page.locator('.prompt:not([data-ply="0"])').waitFor();
  await expect.poll(async () => (await counts(page))[0]).toBeLessThan(before);
  expect(errors).toEqual([]);
});

test('without the server the explorer says so, and tries again', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: '/analysis?game=potlatch' });
  await ply(page, 0);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Explorer' }).click();
  await page.getByText(/The explorer needs the server/).waitFor();
  await page.context().setOffline(false);
  await explorer(page).getByRole('button', { name: 'Try again' }).click();
  await rows(page).first().waitFor();
});

test(
  'the archive is searched by keyboard, page by page, and its address keeps the search',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage({ at: '/archive' });
    await page.getByRole('heading', { name: 'Archive' }).waitFor();
    // A server without games shows those of the engines with their boards.
    await games(page).first().locator('svg').first().waitFor();
    expect(await page.getByLabel('Engines').isChecked()).toBe(true);
    await page.getByText('This server', { exact: true }).click();
    await page.getByText('No matching games on this server. Try the engine games.').waitFor();
    await page.getByRole('combobox', { name: 'Game' }).selectOption('proteus');
    await page.getByText('No matching games on this server. Try the engine games.').waitFor();
    await page.getByText('Engines', { exact: true }).click();
    await games(page).nth(24).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await games(page).nth(49).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'archive-desk');
    // Not a number until the answer has come.
    const count = async () => parseInt((await page.locator('h2#found').innerText()).replace(/\D/g, ''), 10);
    const all = await count();
    await page.getByLabel('Player').fill('level:4');
    await page.keyboard.press('Enter');
    await expect.poll(count).toBeLessThan(all);
    const level = await count();
    await page.getByRole('combobox', { name: 'Result' }).selectOption('draw');
    await expect.poll(count).toBeLessThan(level);
    await page.getByLabel('At most this many actions').fill('1');
    await page.keyboard.press('Enter');
    await page.getByText('No matching games. Remove a filter.').waitFor();
    expect(new URL(page.url()).searchParams.get('player')).toBe('level:4');
    await page.goBack();
    await expect.poll(count).toBeGreaterThan(0);
    expect(await page.getByRole('combobox', { name: 'Result' }).inputValue()).toBe('draw');
    expect(errors).toEqual([]);
  },
);

test('a finished game of the server is listed, and opens in review and analysis', async () => {
  const { page, errors } = await app.openPage();
  const name = `Ada ${crypto.randomUUID().slice(0, 8)}`; // a retry finds the earlier game too
  const made = await fetch(`${app.url}/api/matches`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      game: 'potlatch',
      confirm: false,
      seats: [
        { kind: 'person', name },
        { kind: 'engine', level: 1 },
      ],
    }),
  });
  const { match, tokens } = (await made.json()) as { match: string; tokens: (string | null)[] };
  for (const what of [{ do: 'play', token: 'Pnw' }, { do: 'resign' }]) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens[0]}` };
    const now = (await (await fetch(`${app.url}/api/matches/${match}`, { headers })).json()) as {
      seq: number;
    };
    const body = JSON.stringify({ id: crypto.randomUUID(), seq: now.seq, seat: 0, ...what });
    const answer = await fetch(`${app.url}/api/matches/${match}/commands`, { method: 'POST', headers, body });
    expect(answer.ok).toBe(true);
  }
  await page.goto(`${app.url}/matches`);
  await page.getByRole('link', { name: 'Archive: all finished games' }).click();
  await page.getByRole('combobox', { name: 'Game' }).selectOption('potlatch');
  const game = games(page).filter({ hasText: name });
  await game.getByText('Computer level 1').waitFor();
  await game.getByText('Actions: 1, resigned').waitFor();
  await game.getByRole('link', { name: 'Analyse' }).click();
  await ply(page, 1);
  await page.goBack();
  await games(page).filter({ hasText: name }).getByRole('link').first().click();
  await page.waitForURL(`**/match/${match}`);
  await page.getByRole('button', { name: 'Review' }).waitFor();
  expect(errors).toEqual([]);
});

test(
  'a match has a link preview, files and a widget that plays on another site',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage({ at: BLANK, explained: true });
    await openMatchAfter(page, app.url, 'potlatch', SHORTEST);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const html = await (await fetch(page.url())).text();
    expect(html).toContain('<meta property="og:title" content="Potlatch Klone: ');
    expect(html).toContain('Red won after 7 actions.');
    await chooseEntry(page, 'Share game');
    expect(await accessibilityViolations(page, 'dialog')).toEqual([]);
    await screenshot(page, 'share-desk');
    for (const link of await page.locator('dialog .files a').all()) {
      const answer = await fetch(new URL((await link.getAttribute('href')) ?? '', app.url));
      expect(answer.ok, await link.innerText()).toBe(true);
    }
    const code = await page.getByLabel('Embed code').inputValue();
    expect(code).toContain(`/embed/${id}`);
    // Another site with the widget.
    const site = createServer((_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(`<link rel="icon" href="data:,"><title>Club</title>${code}`),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    try {
      await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
      const widget = page.frameLocator('iframe');
      await widget.getByText('Red won after 7 actions.').waitFor();
      await widget.getByText('7 / 7').waitFor();
      const shown = () =>
        widget.locator('#picture').evaluate((image: HTMLImageElement) => [image.src, image.naturalWidth > 0]);
      await expect.poll(async () => (await shown())[1]).toBe(true);
      await screenshot(page, 'widget');
      await widget.getByRole('button', { name: 'First position' }).click();
      await widget.getByText('0 / 7').waitFor();
      await widget.getByRole('button', { name: 'Forward' }).press('ArrowRight');
      await widget.getByText('1 / 7').waitFor();
      expect((await shown())[0]).toContain('ply=1&');
      await widget.getByRole('button', { name: 'Play' }).click();
      await widget.getByText('7 / 7').waitFor();
      await widget.getByRole('button', { name: 'Play' }).waitFor();
    } finally {
      site.close();
    }
    expect(errors).toEqual([]);
  },
);

// The first search replays the archive, which takes a while on a busy machine.
const PATIENT = { tags: 'long', timeout: 180_000 };

test.each([
  ['montana', 'en', 'dark'],
  ['passtally', 'ja', 'light'],
  ['potlatch', 'en', 'light'],
  ['proteus', 'ja', 'dark'],
] as const)('%s: explorer and archive fit phones (%s, %s)', PATIENT, async (game, locale, colorScheme) => {
  const { page, errors } = await app.openPage({
    at: `/analysis?game=${game}`,
    locale,
    colorScheme,
    ...phone(360, 740),
  });
  await page.waitForFunction(() =>
    /\d/.test(document.querySelector('.prompt')?.getAttribute('data-ply') ?? ''),
  );
  await page.locator('[data-tab=engine]').click();
  await page.locator('#panel-engine .toggle').click();
  // After a random set-up, no game has the position.
  const said = explorer(page, locale).getByRole('status');
  await expect.poll(() => said.innerText(), { timeout: 120_000 }).not.toMatch(/…$/);
  const what = `${game} ${locale}`;
  expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBe(360);
  expect(await accessibilityViolations(page), what).toEqual([]);
  await screenshot(page, `explorer-${game}-${locale}`);
  await page.goto(`${app.url}/archive?game=${game}&source=engines`);
  await games(page).first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBe(360);
  expect(await accessibilityViolations(page), what).toEqual([]);
  await screenshot(page, `archive-${game}-${locale}`);
  expect(errors, what).toEqual([]);
});
