/** The Live page and a channel, which goes on to the next match. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, boxOf, screenshot, startApp, type TestApp } from './app';
import { ask } from './play';
import { PHONE } from './twoPlayers';

const app = startApp();

/** Two players meet by quick pairing, and the one to act plays. Returns the match and the page of that player. */
async function startPublicMatch(app: TestApp): Promise<{ match: string; players: Page[] }> {
  const players = await Promise.all([app.openPage({ at: '/lobby' }), app.openPage({ at: '/lobby' })]);
  for (const { page } of players) await page.locator('.presets button').first().click();
  const pages = players.map(({ page }) => page);
  await Promise.all(pages.map((page) => page.waitForSelector('.board .cell')));
  const match = new URL(pages[0]?.url() ?? '').pathname.split('/').at(-1) ?? '';
  await play(app, match, pages);
  return { match, players: pages };
}

const tokens = (page: Page, match: string) =>
  page.evaluate((match) => {
    const saved = JSON.parse(localStorage.getItem('tavola.matches') ?? '[]') as {
      match: string;
      tokens: (string | null)[];
    }[];
    return saved.find((one) => one.match === match)?.tokens ?? [];
  }, match);

interface State {
  seq: number;
  acting: number;
  view: { actions: { token: string }[] };
}

let count = 0;

/** The player to act plays the first action, or resigns. */
async function play(app: TestApp, match: string, pages: Page[], what = 'play'): Promise<void> {
  const all = (await Promise.all(pages.map((page) => tokens(page, match)))).flat();
  const own = all.filter((token): token is string => token !== null);
  const { seq, acting, view } = await ask<State>(app.url, `/${match}`, own);
  count += 1;
  const token = what === 'play' ? { token: view.actions[0]?.token } : {};
  await ask(app.url, `/${match}/commands`, own, {
    id: `${match} ${count}`,
    seq,
    seat: acting,
    do: what,
    ...token,
  });
}

test(
  'a public match is on the Live page, and a channel goes on to the next match',
  { tags: 'long' },
  async () => {
    const first = await startPublicMatch(app);
    const { page, errors } = await app.openPage();
    await page.getByRole('link', { name: 'Watch' }).first().click();
    const board = page.locator(`article a[href="/match/${first.match}"]`);
    await board.locator('svg use').first().waitFor({ state: 'attached' });
    // Its pieces are drawn.
    const drawn = await board
      .locator('svg use')
      .evaluateAll((uses) => uses.every((use) => document.querySelector(use.getAttribute('href') ?? '')));
    expect(drawn).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'live');
    // The channel of its game, on a phone in Japanese.
    const phone = await app.openPage({ at: '/live/potlatch', ...PHONE, locale: 'ja' });
    await phone.page.waitForSelector(`article.large a[href="/match/${first.match}"] svg`);
    await screenshot(phone.page, 'channel-phone');
    expect(await accessibilityViolations(phone.page)).toEqual([]);
    const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    const second = await startPublicMatch(app);
    await play(app, first.match, first.players, 'resign');
    // Its end is shown for a while.
    await phone.page.waitForSelector(`article.large a[href="/match/${second.match}"] svg`, {
      timeout: 30_000,
    });
    expect(await phone.page.locator('article').count()).toBe(1);
    await board.waitFor({ state: 'detached' });
    await page.goto(`${app.url}/live/potlatch`);
    await page.waitForSelector(`article.large a[href="/match/${second.match}"] svg`);
    // The players are below the board, without scrolling.
    const players = await boxOf(page.locator('article.large ul'));
    expect(players.y + players.height).toBeLessThanOrEqual(await page.evaluate(() => innerHeight));
    await screenshot(page, 'channel');
    expect([...errors, ...phone.errors]).toEqual([]);
  },
);
