/** Invitations: two people on two devices. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, BLANK, screenshot, startApp } from './app';
import { chooseEntry, openMenu } from './menu';
import {
  actions,
  canConfirm,
  card,
  chooseFromMenu,
  confirm,
  createMatch,
  type GameName,
  isOver,
  openMatch,
  openSetup,
  playRandomAction,
  playRandomActionByKeyboard,
  resign,
  seededRandom,
  selectRandom,
} from './play';
import { PHONE } from './twoPlayers';

// Its lobby is empty at first.
const app = startApp({ own: [] });

interface Guest {
  page: Page;
  errors: string[];
}

/** Creates a match by invitation; returns the link. */
async function invite(game: GameName, options?: BrowserContextOptions): Promise<Guest & { link: string }> {
  const guest = await app.openPage(options);
  await card(guest.page, game).getByRole('button', { name: 'Play with a friend' }).click();
  const link = await guest.page.getByRole('textbox', { name: 'Link' }).inputValue();
  return { ...guest, link };
}

/** Opens a link and joins. */
async function accept(link: string, name: string, options?: BrowserContextOptions): Promise<Guest> {
  const guest = await app.openPage({ at: link, ...options });
  await guest.page.getByLabel('Your name').fill(name);
  await guest.page.getByRole('button', { name: 'Join game' }).click();
  await guest.page.waitForSelector('.board .cell');
  return guest;
}

/** The page of the player to act; null: over for all. */
async function next(pages: Page[]): Promise<Page | null> {
  for (let wait = 0; wait < 300; wait += 1) {
    if ((await Promise.all(pages.map(isOver))).every(Boolean)) return null;
    for (const page of pages) {
      const can = page.locator(
        '.cell.touchable, .menu, .prompt .strong:enabled, .prompt [role=group] button',
      );
      if (!(await isOver(page)) && (await can.count()) > 0) return page;
    }
    await pages[0]?.waitForTimeout(50);
  }
  throw new Error('Nobody can do anything.');
}

async function act(page: Page, roll: (sides: number) => number): Promise<void> {
  if (await canConfirm(page)) await confirm(page);
  else if (await page.locator('.menu').isVisible()) await chooseFromMenu(page);
  else await selectRandom(page, roll);
}

const settled = (pages: Page[], count: number) =>
  Promise.all(
    pages.map((page) =>
      page.waitForFunction((count) => document.querySelectorAll('.moves .entry').length >= count, count),
    ),
  );

/** The view that all players share: pieces with their places, counters, and moves. */
const picture = (page: Page) =>
  page.evaluate(() => ({
    pieces: [...document.querySelectorAll('.here')].map(
      (piece) => `${piece.getAttribute('transform')} ${piece.querySelector('use')?.getAttribute('href')}`,
    ),
    seats: [...document.querySelectorAll('.seat .counters')].map((counters) => counters.textContent),
    moves: [...document.querySelectorAll('.moves .entry')].map((entry) => entry.textContent),
  }));

/** Waits until two pages show the same. */
async function agreed(certain: Page, other: Page): Promise<void> {
  const seen = await picture(certain);
  await expect.poll(() => picture(other)).toEqual(seen);
}

/**
 * Waits until all pages have received the action; returns the number of actions. The player to act does not
 * wait.
 */
async function allPlayed(pages: [Page, Page]): Promise<number> {
  const count = await actions((await next(pages)) ?? pages[0]);
  await settled(pages, count);
  return count;
}

test.each([
  // A game without and one with random events and hidden goods; the number of actions before resigning the latter.
  ['potlatch', 400],
  ['montana', 25],
] as const)('%s: a whole match by invitation', { tags: 'long', timeout: 120_000 }, async (game, patience) => {
  const host = await invite(game);
  const guest = await accept(host.link, 'Aki');
  // The host sees the player who joined, and the link closes.
  await host.page.locator('.seat', { hasText: 'Aki' }).waitFor();
  await host.page.locator('dialog').waitFor({ state: 'detached' });
  expect(guest.page.url()).not.toContain('#');
  const pages = [host.page, guest.page];
  const roll = seededRandom(5);
  for (let touches = 0; touches < patience; touches += 1) {
    const page = await next(pages);
    if (!page) break;
    await act(page, roll);
  }
  if (patience < 400) await resign(guest.page);
  for (const page of pages) await page.waitForSelector('.prompt.over');
  await agreed(host.page, guest.page);
  expect([...host.errors, ...guest.errors]).toEqual([]);
});

test('a player joins by keyboard alone, from the link to the first action', { tags: 'long' }, async () => {
  const host = await invite('potlatch');
  const { page, errors } = await app.openPage({ at: host.link });
  const at = (place: Locator) => place.evaluate((one) => one === document.activeElement);
  const tabTo = async (place: Locator) => {
    for (let key = 0; key < 30 && !(await at(place)); key += 1) await page.keyboard.press('Tab');
    expect(await at(place)).toBe(true);
  };
  await tabTo(page.getByLabel('Your name'));
  await page.keyboard.type('Aki');
  await tabTo(page.getByRole('button', { name: 'Join game' }));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.board .cell');
  const roll = seededRandom(5);
  while ((await next([host.page, page])) === host.page) await act(host.page, roll);
  const before = await actions(page);
  while ((await actions(page)) === before) await playRandomActionByKeyboard(page, roll);
  await settled([host.page], before + 1);
  expect([...host.errors, ...errors]).toEqual([]);
});

test(
  'after a disconnect in mid-turn nothing is lost and nothing counts twice',
  { tags: 'long' },
  async () => {
    const host = await invite('potlatch');
    const guest = await accept(host.link, 'Aki');
    const pages = [host.page, guest.page];
    const roll = seededRandom(2);
    while ((await actions(host.page)) < 1) await playRandomAction(host.page, roll);
    await settled(pages, 1);
    await host.page.context().setOffline(true);
    // A lost network is not always reported: cut the socket too.
    await host.page.getByRole('alert').filter({ hasText: 'No connection' }).waitFor({ timeout: 40_000 });
    expect(await actions(guest.page)).toBe(1);
    await screenshot(host.page, 'offline');
    await host.page.context().setOffline(false);
    await host.page.getByRole('alert').waitFor({ state: 'detached' });
    while (!(await canConfirm(host.page))) await playRandomAction(host.page, roll);
    await confirm(host.page);
    await guest.page.waitForSelector('.cell.touchable');
    await agreed(guest.page, host.page);
  },
);

test('after a restart of the server both players continue', { tags: 'long' }, async () => {
  const host = await invite('potlatch');
  const guest = await accept(host.link, 'Aki');
  const pages: [Page, Page] = [host.page, guest.page];
  const roll = seededRandom(2);
  for (let touches = 0; touches < 4; touches += 1) await act((await next(pages)) ?? host.page, roll);
  const before = await allPlayed(pages);
  await app.server.kill();
  for (const page of pages) await page.getByRole('alert').waitFor();
  await app.server.start();
  for (const page of pages) await page.getByRole('alert').waitFor({ state: 'detached' });
  expect(await Promise.all(pages.map(actions))).toEqual([before, before]);
  for (let touches = 0; touches < 6; touches += 1) await act((await next(pages)) ?? host.page, roll);
  expect(await allPlayed(pages)).toBeGreaterThanOrEqual(before + 2);
  await agreed(host.page, guest.page);
});

test('a link works once, and later visitors can watch every move', { tags: 'long' }, async () => {
  const host = await invite('potlatch');
  await accept(host.link, 'Aki');
  const late = await app.openPage({ at: host.link });
  await late.page.getByRole('heading', { name: 'This seat is taken' }).waitFor();
  await screenshot(late.page, 'late');
  await late.page.getByRole('button', { name: 'Watch' }).click();
  await late.page.waitForSelector('.board .cell');
  while ((await actions(host.page)) < 1) await playRandomAction(host.page, seededRandom(1));
  await settled([late.page], 1);
  expect(await late.page.locator('.cell.touchable').count()).toBe(0);
  expect(late.errors).toEqual([]);
});

test('a damaged link opens the part that is intact', { tags: 'long' }, async () => {
  const host = await invite('potlatch');
  // A full stop copied with the link is not part of it.
  await accept(`${host.link}.`, 'Aki');
  const { page } = await app.openPage({ at: '/match/50%' });
  await page.getByRole('alert').getByText('Game not found').waitFor();
});

test('a seat continues on another device, and the address hides the token', { tags: 'long' }, async () => {
  const host = await invite('potlatch');
  const guest = await accept(host.link, 'Aki');
  await chooseEntry(host.page, 'Continue on another device');
  const link = await host.page.getByRole('textbox', { name: 'Link' }).inputValue();
  await screenshot(host.page, 'carry');
  const phone = await app.browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en',
    hasTouch: true,
  });
  const page = await phone.newPage();
  await page.goto(link);
  await page.waitForSelector('.cell.touchable');
  expect(page.url()).toBe(link.split('#')[0]);
  await page.keyboard.press('Escape');
  while ((await actions(page)) < 1) await playRandomAction(page, seededRandom(1));
  await settled([guest.page], 1);
  expect(await actions(guest.page)).toBe(1);
});

test(
  'the host can play before the guest joins, and find the match in the list',
  { tags: 'long' },
  async () => {
    const host = await invite('potlatch');
    await host.page.keyboard.press('Escape');
    const roll = seededRandom(3);
    while (!(await canConfirm(host.page))) await playRandomAction(host.page, roll);
    await confirm(host.page);
    await host.page.getByText('Waiting for someone to join').waitFor();
    await screenshot(host.page, 'waiting');
    await host.page.locator('.home').click();
    await host.page.getByRole('link', { name: 'Your games' }).click();
    const entry = host.page.getByRole('listitem').filter({ hasText: 'waiting for players' });
    await entry.waitFor();
    await screenshot(host.page, 'matches');
    const guest = await accept(host.link, 'Aki');
    await guest.page.waitForSelector('.cell.touchable');
    await host.page.reload();
    await host.page.getByRole('listitem').filter({ hasText: 'Waiting for Aki' }).waitFor();
    // Without the server the list keeps the last known state.
    await host.page.route('**/api/matches/**', (route) => route.abort());
    await host.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await host.page.getByText("Can't reach the server").waitFor();
    expect(await host.page.getByRole('listitem').count()).toBe(1);
    // The seat of a running game is stored here only: the list asks first, and can undo.
    const item = host.page.getByRole('listitem');
    const remove = host.page.getByRole('button', { name: /^Remove from list: / });
    const dialog = host.page.getByRole('dialog');
    const stored = () => host.page.evaluate(() => localStorage.getItem('tavola.matches'));
    const before = await stored();
    await remove.click();
    await dialog.getByRole('button', { name: 'Keep the game' }).click();
    expect(await stored()).toBe(before);
    await remove.click();
    await dialog.getByRole('button', { name: 'Remove from list' }).click();
    await item.waitFor({ state: 'detached' });
    await host.page.getByRole('button', { name: 'Put back' }).click();
    await item.waitFor();
    expect(await stored()).toBe(before);
    await remove.click();
    await dialog.getByRole('button', { name: 'Remove from list' }).click();
    await item.waitFor({ state: 'detached' });
  },
);

test('the list says that an engine is to act, not whether it is queued', { tags: 'long' }, async () => {
  const seats = [{ kind: 'engine', seconds: 60 }, { kind: 'person' }];
  const created = await createMatch(app.url, { game: 'potlatch', seats });
  const { page } = await app.openPage({ at: BLANK });
  await openMatch(page, app.url, 'potlatch', created);
  await page.locator('.prompt').getByText('Red is thinking').waitFor();
  await page.goto(`${app.url}/matches`);
  // Whether it thinks already, or waits for its turn to, only its table says.
  await page.getByRole('listitem').filter({ hasText: 'Waiting for Red' }).waitFor();
  await page.goto(`${app.url}/match/${created.match}`);
  await resign(page);
});

test('a game is listed in the lobby at once, joined, and removed', { tags: 'long' }, async () => {
  const host = await app.openPage();
  const guest = await app.openPage();
  await guest.page.getByRole('link', { name: 'Lobby' }).click();
  await guest.page.getByText('No open games right now').waitFor();
  await host.page.getByRole('link', { name: 'Lobby' }).click();
  await host.page.locator('main').getByLabel('Your name').fill('Aki');
  await host.page.locator('main').getByRole('button', { name: 'Potlatch Klone', exact: true }).click();
  await screenshot(host.page, 'offer');
  await host.page.locator('dialog button[type=submit]').click();
  await host.page.getByText('Also listed in the lobby.').waitFor();
  await screenshot(host.page, 'invite');
  const offered = guest.page.getByRole('listitem').filter({ hasText: 'Aki' });
  await offered.waitFor();
  await screenshot(guest.page, 'lobby');
  // The request of a third player is on its way when another joins.
  const late = await app.openPage();
  let arrive = (): unknown => null;
  await late.page.route('**/api/matches/*/seats', (route) => {
    arrive = () => route.continue();
  });
  await late.page.getByRole('link', { name: 'Lobby' }).click();
  await late.page.getByRole('button', { name: /Join/ }).click();
  await guest.page.locator('main').getByLabel('Your name').fill('Bea');
  await offered.getByRole('button', { name: /Join/ }).click();
  await host.page.locator('.seat', { hasText: 'Bea' }).waitFor();
  await guest.page.locator('.seat', { hasText: 'Aki' }).waitFor();
  await late.page.getByText('No open games right now').waitFor();
  await arrive();
  await late.page.getByRole('alert').filter({ hasText: 'This seat is already taken' }).waitFor();
  await screenshot(late.page, 'lobby-late');
  await late.page.locator('main').getByRole('link', { name: 'Watch' }).click();
  await late.page.getByText('Spectating').waitFor();
  expect([...host.errors, ...guest.errors]).toEqual([]);
});

test('an invitation names the terms of the match, and so does its menu', { tags: 'long' }, async () => {
  const { page: host, errors } = await app.openPage();
  await openSetup(host, 'proteus', true);
  await host.getByLabel('Friend by link').check({ force: true });
  await host.getByLabel('The first action after the placement cannot win').check({ force: true });
  await host.getByLabel('Time control').selectOption({ label: '5 min + 5 s' });
  await host.getByRole('button', { name: 'Start', exact: true }).click();
  const link = await host.getByRole('textbox', { name: 'Link' }).inputValue();
  const terms = 'The first action after the placement cannot win · 5 min + 5 s';
  const { page: guest } = await app.openPage({ at: link, ...PHONE });
  await guest.getByText(`Proteus · ${terms}`).waitFor();
  await screenshot(guest, 'invitation-terms');
  await guest.getByLabel('Your name').fill('Bo');
  await guest.getByRole('button', { name: 'Join game' }).click();
  await guest.waitForSelector('.board .cell');
  await openMenu(guest);
  await guest.getByText(terms).waitFor();
  await screenshot(guest, 'menu-terms');
  expect(errors).toEqual([]);
});

test('invitation pages are accessible', { tags: 'long' }, async () => {
  const host = await invite('potlatch');
  expect(await accessibilityViolations(host.page)).toEqual([]);
  const guest = await app.openPage({ at: host.link });
  await guest.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await accessibilityViolations(guest.page)).toEqual([]);
  for (const place of ['/lobby', '/matches']) {
    await guest.page.goto(app.url + place);
    await guest.page.getByRole('heading', { level: 1 }).waitFor();
    expect(await accessibilityViolations(guest.page)).toEqual([]);
  }
});
