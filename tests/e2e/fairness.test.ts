/** Verification of random draws: no draw before all have joined, and recomputation afterwards. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chooseEntry } from './menu';
import { PHONE } from './twoPlayers';
import { accessibilityViolations, startApp, screenshot, BLANK } from './app';
import { createMatch, openGame, openMatch, resign, startGame, waitForTurn } from './play';

const app = startApp();

/** Opens the fairness dialog in the page's language. */
async function look(page: Page, name = 'Verify fairness') {
  await chooseEntry(page, name);
  return page.getByRole('dialog', { name });
}

async function looksFair(page: Page): Promise<boolean> {
  const sheet = await look(page);
  await sheet.locator('.verdict').waitFor();
  const text = await sheet.locator('.verdict').textContent();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  return /Verified: all \d+ draws match the seed/.test(text ?? '');
}

test('the commitment is shown during a match, and the draws are verified afterwards', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openGame(page, app.url, 'person', 'passtally');
  expect(await page.locator('.moves .entry').count()).toBe(3);
  const before = await look(page);
  const commitment = (await before.locator('dd').textContent()) ?? '';
  expect(commitment).toMatch(/^[0-9a-f]{64}$/);
  expect(await before.locator('dd').count()).toBe(1);
  await screenshot(page, 'draws-before');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await resign(page);
  const after = await look(page);
  await after.locator('.verdict').waitFor();
  expect(await after.locator('.verdict').textContent()).toMatch(/Verified: all 3 draws match the seed/);
  expect(await after.locator('.findings .bad').count()).toBe(0);
  expect(await after.locator('.findings').textContent()).toMatch(/This browser's random data was used/);
  expect(await after.locator('dd').allTextContents()).toHaveLength(2);
  expect(await after.locator('dd').first().textContent()).toBe(commitment);
  await after.locator('summary').click();
  expect(await after.locator('ol li').count()).toBe(3);
  expect(await accessibilityViolations(page, 'dialog[open]')).toEqual([]);
  await screenshot(page, 'draws-after');
  await page.setViewportSize({ width: 360, height: 700 });
  await screenshot(page, 'draws-after-phone');
  expect(errors).toEqual([]);
});

test('the dialog is available in Japanese', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ locale: 'ja' });
  await page.evaluate(() => {
    localStorage.setItem('tavola.settings', JSON.stringify({ explain: false, language: 'ja' }));
  });
  await page.reload();
  await startGame(page, 'person', 'montana');
  const sheet = await look(page, '抽選の公正さを検証');
  expect(await sheet.textContent()).toMatch(/コミットメント\s*[0-9a-f]{64}/);
  await screenshot(page, 'draws-ja');
});

test('tampered data fails the verification', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK });
  await openGame(page, app.url, 'person', 'montana');
  await resign(page);
  expect(await looksFair(page)).toBe(true);

  interface Told {
    seed: string;
    draws: { token: string; outcomes: [string, string][] }[];
  }
  const withChange = async (change: (told: Told) => void) => {
    await page.route('**/draws', async (route) => {
      const told = (await (await route.fetch()).json()) as Told;
      change(told);
      await route.fulfill({ json: told });
    });
    const fair = await looksFair(page);
    await page.unroute('**/draws');
    return fair;
  };
  expect(await withChange(() => undefined)).toBe(true);
  expect(await withChange((told) => (told.seed = '00'.repeat(32)))).toBe(false);
  expect(await withChange(({ draws }) => draws.pop())).toBe(false);
  expect(await withChange(({ draws }) => draws.forEach(({ outcomes }) => outcomes.reverse()))).toBe(false);
  expect(await looksFair(page)).toBe(true);

  // A commitment that differs from the first one.
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('tavola.chance') ?? '') as { commitment: string }[];
    for (const one of kept) one.commitment = '00'.repeat(32);
    localStorage.setItem('tavola.chance', JSON.stringify(kept));
  });
  expect(await looksFair(page)).toBe(false);
});

test('nothing is drawn before all players have joined', { tags: 'long' }, async () => {
  const seats = [{ kind: 'person' }, { kind: 'person' }];
  const { match, tokens } = await createMatch(app.url, { game: 'passtally', seats, contribute: true });
  const sit = async (seat: number) => {
    const { page } = await app.openPage({ at: BLANK });
    const mine = tokens.map((token, number) => (number === seat ? token : null));
    await openMatch(page, app.url, 'passtally', { match, tokens: mine });
    return page;
  };
  const first = await sit(0);
  await first.getByRole('heading', { name: /^Waiting for .* to join$/ }).waitFor();
  expect(await first.locator('.moves .entry').count()).toBe(0);
  await screenshot(first, 'draws-waiting');
  const second = await sit(1);
  await waitForTurn(first);
  for (const page of [first, second]) {
    await page.waitForFunction(() => document.querySelectorAll('.moves .entry').length === 3);
  }
  await resign(second);
  for (const page of [first, second]) {
    await page.waitForSelector('.prompt.over');
    expect(await looksFair(page)).toBe(true);
  }
});

test('on a phone every open seat is named in full', { tags: 'long' }, async () => {
  const created = await createMatch(app.url, {
    game: 'montana',
    options: { players: '4' },
    seats: [{ kind: 'person' }, { kind: 'link' }, { kind: 'link' }, { kind: 'link' }],
    contribute: true,
  });
  const { page } = await app.openPage({ at: BLANK, ...PHONE });
  await openMatch(page, app.url, 'montana', created);
  await page
    .getByRole('heading', { name: 'Waiting for Blue, Green, and Violet to join', exact: true })
    .waitFor();
  await page.locator('.seat', { hasText: 'open' }).nth(2).waitFor();
  const cut = await page
    .locator('.seat')
    .evaluateAll((plates) =>
      plates.flatMap((plate) =>
        [...plate.querySelectorAll('strong, .sitter')].filter(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        ),
      ),
    );
  expect(cut).toHaveLength(0);
});
