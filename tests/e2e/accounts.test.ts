/** Accounts, from sign-up to deletion. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, BLANK, newName, startApp, screenshot } from './app';
import { menuEntry, openMenu } from './menu';
import { card, confirm, seededRandom, canConfirm, waitForTurn, resign, playRandomAction } from './play';

const app = startApp();

const PASSWORD = 'correct horse';

async function signUp(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByText('Create account').first().click();
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name }).waitFor();
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.goto(`${app.url}/account`);
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name }).waitFor();
}

/** A rated match against the computer, resigned after both have had a turn. */
async function loseRated(page: Page): Promise<void> {
  await page.goto(app.url);
  await card(page, 'potlatch').getByRole('button', { name: 'Custom game' }).click();
  await page.locator('dialog summary').click();
  await page.getByLabel('Rated game').check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForSelector('.board .cell');
  const roll = seededRandom(1);
  do {
    await waitForTurn(page);
    if (await canConfirm(page)) await confirm(page);
    else await playRandomAction(page, roll);
  } while (
    (await page.locator('.moves .number').count()) < 2 ||
    !(await page.locator('.cell.touchable').count())
  );
  await resign(page);
}

test(
  'an account has its games on every device and ratings, and can be deleted',
  { tags: 'long' },
  async () => {
    const here = await app.openPage();
    // Matches from before the account can be added to it.
    await card(here.page, 'proteus').getByRole('button', { name: '2 players' }).click();
    await here.page.waitForSelector('.board .cell');
    await here.page.goto(app.url);
    const ada = newName('Ada');
    await signUp(here.page, ada);
    await here.page.getByRole('button', { name: 'Add to my account' }).click();
    await here.page.getByText('Added to your account.').waitFor();

    await loseRated(here.page);
    await here.page.getByRole('list', { name: 'Ratings after this game' }).waitFor();
    await screenshot(here.page, 'rated-over');

    const there = await app.openPage({ at: BLANK });
    await signIn(there.page, ada.toLowerCase());
    await there.page.getByText('1338 ± ').waitFor();
    expect(await accessibilityViolations(there.page)).toEqual([]);
    await there.page.getByRole('link', { name: 'Your games' }).first().click();
    const rows = there.page.locator('main li');
    await expect.poll(() => rows.count()).toBe(2);
    // It can be played there, too.
    await rows.filter({ hasText: 'Proteus' }).getByRole('link').click();
    await there.page.waitForSelector('.board .cell.touchable');

    await there.page.goto(`${app.url}/ratings`);
    await there.page.getByText('Potlatch Klone').first().click();
    const own = there.page.locator('tr.yours');
    expect(await own.textContent()).toContain(ada);
    expect(await there.page.getByRole('row', { name: 'Computer level 3' }).count()).toBe(1);
    expect(await accessibilityViolations(there.page)).toEqual([]);

    // A new password ends the other sessions.
    await here.page.goto(`${app.url}/account`);
    await here.page.getByText('Change password').first().click();
    await here.page.getByLabel('Current password').fill(PASSWORD);
    await here.page.getByLabel('New password').fill('battery staple');
    await here.page.getByRole('button', { name: 'Change password' }).click();
    await here.page.getByText("You've been signed out").waitFor();
    await there.page.goto(`${app.url}/account`);
    await there.page.getByRole('button', { name: 'Sign in' }).waitFor();

    const [download] = await Promise.all([
      here.page.waitForEvent('download'),
      here.page.getByRole('link', { name: 'Download my data' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('tavola-account.json');

    await here.page.getByText('Delete account').click();
    await here.page.getByLabel('Password', { exact: true }).fill('battery staple');
    await here.page.getByRole('button', { name: 'Delete permanently' }).click();
    await here.page.getByText('Account deleted.').waitFor();
    await here.page.getByRole('link', { name: 'Lobby' }).click();
    await here.page.getByRole('link', { name: 'Ratings' }).click();
    await here.page.getByText('Potlatch Klone').first().click();
    await here.page.getByRole('row', { name: 'Computer level 3' }).waitFor();
    expect(await here.page.getByText(ada).count()).toBe(0);
    expect([...here.errors, ...there.errors]).toEqual([]);
  },
);

test('a rated match shows no forced wins', { tags: 'long' }, async () => {
  const { page } = await app.openPage();
  await signUp(page, newName('Emmy'));
  await page.evaluate(() => localStorage.setItem('tavola.settings', '{"proofs":true}'));
  const asked: string[] = [];
  page.on('request', (request) => request.url().endsWith('/proof') && asked.push(request.url()));
  await page.goto(app.url);
  await card(page, 'potlatch').getByRole('button', { name: 'Custom game' }).click();
  await page.locator('dialog summary').click();
  await page.getByLabel('Rated game').check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await waitForTurn(page);
  await page.locator('.seat').getByText('1500?').waitFor();
  await screenshot(page, 'rated-desktop');
  await openMenu(page);
  await (await menuEntry(page, 'Keyboard shortcuts')).waitFor();
  await screenshot(page, 'rated-menu');
  expect(await page.getByRole('button', { name: /forced wins/i }).count()).toBe(0);
  expect(await page.locator('.prompt .forced-win').count()).toBe(0);
  expect(asked).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.locator('.seat').getByText('1500?').isVisible()).toBe(true);
  await screenshot(page, 'rated-phone');
});

test('a rated invitation needs an account', { tags: 'long' }, async () => {
  const host = await app.openPage();
  const [grace, hopper] = [newName('Grace'), newName('Hopper')];
  await signUp(host.page, grace);
  await host.page.goto(app.url);
  await card(host.page, 'potlatch').getByRole('button', { name: 'Custom game' }).click();
  await host.page.locator('dialog summary').click();
  await host.page.locator('dialog .seat select').nth(1).selectOption('link');
  await host.page.getByLabel('Rated game').check();
  await host.page.getByText(`Playing as ${grace}.`).waitFor();
  await screenshot(host.page, 'setup-rated');
  await host.page.getByRole('button', { name: 'Start', exact: true }).click();
  const link = await host.page.getByRole('textbox', { name: 'Link' }).inputValue();

  const guest = await app.openPage({ at: link });
  await guest.page.getByText('Sign in to join.').waitFor();
  await screenshot(guest.page, 'join-rated');
  await guest.page.getByText('Create account').first().click();
  await guest.page.getByLabel('Username').fill(hopper);
  await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await guest.page.getByRole('button', { name: 'Create account' }).click();
  await guest.page.getByRole('button', { name: 'Join game' }).click();
  await guest.page.waitForSelector('.board .cell');
  await host.page.locator('.seat', { hasText: hopper }).waitFor();
  expect([...host.errors, ...guest.errors]).toEqual([]);
});

test('a rated game in the lobby is joined after signing in', { tags: 'long' }, async () => {
  const host = await app.openPage();
  const [fay, gus] = [newName('Fay'), newName('Gus')];
  await signUp(host.page, fay);
  await host.page.goto(`${app.url}/lobby`);
  await host.page.locator('main').getByRole('button', { name: 'Potlatch Klone', exact: true }).click();
  await host.page.locator('dialog summary').click();
  await host.page.getByLabel('Rated game').check();
  await host.page.locator('dialog button[type=submit]').click();
  await host.page.getByText('Also listed in the lobby.').waitFor();
  // On another device it is the user's own game: no button to join.
  const there = await app.openPage({ at: BLANK });
  await signIn(there.page, fay.toLowerCase());
  await there.page.goto(`${app.url}/lobby`);
  await there.page.locator('main li').getByRole('link', { name: 'Go to game' }).waitFor();
  expect(await there.page.getByRole('button', { name: new RegExp(`^Join.*${fay}`) }).count()).toBe(0);
  const guest = await app.openPage({ at: '/lobby' });
  await guest.page.getByRole('button', { name: new RegExp(`^Join.*${fay}`) }).click();
  const dialog = guest.page.locator('dialog');
  await dialog.getByText('This is a rated game.').waitFor();
  await screenshot(guest.page, 'lobby-sign-in');
  expect(await accessibilityViolations(guest.page)).toEqual([]);
  await dialog.getByText('Create account').first().click();
  await dialog.getByLabel('Username').fill(gus);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await guest.page.waitForURL(/match/);
  await host.page.locator('.seat', { hasText: gus }).waitFor();
  expect([...host.errors, ...guest.errors]).toEqual([]);
});

test(
  'on a phone the status is visible, and a new account of the same name can claim the games',
  { tags: 'long' },
  async () => {
    const { page } = await app.openPage({ viewport: { width: 844, height: 390 } });
    const seen = async (what: string) => {
      const box = await page.getByText(what).boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 390;
    };
    const eve = newName('Eve');
    await signUp(page, eve);
    await page.goto(app.url);
    await card(page, 'proteus').getByRole('button', { name: '2 players' }).click();
    await page.waitForSelector('.board .cell');
    await page.goto(`${app.url}/account`);
    await page.getByText('Change password').first().click();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('battery staple');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect.poll(() => seen("You've been signed out")).toBe(true);
    await page.getByText('Delete account').click();
    await page.getByLabel('Password', { exact: true }).fill('battery staple');
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await expect.poll(() => seen('Account deleted.')).toBe(true);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(eve);
    await page.goto(app.url);
    await signUp(page, eve);
    await page.getByRole('button', { name: 'Add to my account' }).waitFor();
  },
);

test('errors are shown at the form, in either language', async () => {
  const { page, errors } = await app.openPage({ locale: 'ja' });
  await page.getByRole('link', { name: 'ログイン' }).click();
  await page.getByLabel('ユーザー名').fill('誰でもない');
  await page.getByLabel('パスワード', { exact: true }).fill('違うパスワード');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: '名前またはパスワードが違います。' }).waitFor();
  expect(errors.filter((line) => !line.includes('401'))).toEqual([]);
});

test.each([
  ['phone', { viewport: { width: 320, height: 568 }, colorScheme: 'dark' }],
  ['desk', { colorScheme: 'light' }],
] as [string, BrowserContextOptions][])(
  'nothing is wider than the page: %s',
  { tags: 'long' },
  async (name, options) => {
    const { page } = await app.openPage(options);
    await screenshot(page, `start-${name}`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByText('Create account').first().click();
    await screenshot(page, `sign-in-${name}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.goto(app.url);
    await signUp(page, newName('Rather a long name'));
    await page.setViewportSize({ width: 1280, height: 800 });
    await loseRated(page);
    await page.setViewportSize(options.viewport ?? { width: 1280, height: 800 });
    for (const place of ['account', 'ratings#potlatch', 'matches']) {
      await page.goto(`${app.url}/${place}`);
      await page.locator('main li, main table').first().waitFor();
      await screenshot(page, `${place.replace('#', '-')}-${name}`);
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThan(1);
    }
  },
);

test(
  'an API token is shown once and can be revoked, and an account becomes a bot',
  { tags: 'long' },
  async () => {
    const { page } = await app.openPage();
    const robot = newName('Robot');
    await signUp(page, robot);
    await page.getByText('API tokens').click();
    await page.getByLabel('Name', { exact: true }).fill('Script');
    await page.getByLabel('Account password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = await page.locator('code').innerText();
    const answer = await fetch(`${app.url}/api/account`, { headers: { authorization: `Bearer ${secret}` } });
    expect(await answer.json()).toMatchObject({ account: { name: robot, bot: false } });
    await page.getByText('Bot account', { exact: true }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make this a bot account' }).click();
    await page.getByText('This is a bot account.').waitFor();
    await page.getByRole('button', { name: 'Revoke: Script' }).click();
    await expect
      .poll(async () => (await fetch(answer.url, { headers: { authorization: `Bearer ${secret}` } })).status)
      .toBe(401);
  },
);

test('a link to set a password works in the tab that asked for it', async () => {
  const { page, errors } = await app.openPage({ at: `${app.url}/recovery` });
  await page.getByRole('heading', { name: 'Forgotten password' }).waitFor();
  await page.goto(`${app.url}/recovery#link`);
  await page.getByLabel('New password').waitFor();
  expect(errors).toEqual([]);
});
