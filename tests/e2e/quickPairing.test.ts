/** Quick pairing in the browser. */
import { expect, test } from 'vitest';
import { accessibilityViolations, screenshot, startApp } from './app';
import { PHONE } from './twoPlayers';

const app = startApp();
const LOBBY = { at: '/lobby' };

test('two browsers press the same clock and play', { tags: 'long' }, async () => {
  const one = await app.openPage(LOBBY);
  const other = await app.openPage({ ...LOBBY, ...PHONE, locale: 'ja' });
  // By keyboard.
  const first = one.page.locator('.presets button').first();
  await first.focus();
  await one.page.keyboard.press('Enter');
  await one.page.waitForSelector('.search');
  expect(await first.getAttribute('aria-pressed')).toBe('true');
  await screenshot(one.page, 'quick-pairing-waiting');
  expect(await accessibilityViolations(one.page)).toEqual([]);
  await screenshot(other.page, 'quick-pairing-phone');
  await other.page.locator('.presets button').first().tap();
  await Promise.all([one, other].map(({ page }) => page.waitForSelector('.board .cell')));
  expect(new URL(one.page.url()).pathname).toBe(new URL(other.page.url()).pathname);
  expect([...one.errors, ...other.errors]).toEqual([]);
});

test(
  'a player alone is offered the computer, and leaving the page gives up the place',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage(LOBBY);
    await page.clock.install();
    await page.reload();
    await page.locator('.presets button').nth(1).click();
    await page.waitForSelector('.search');
    expect(await page.locator('.search button').count()).toBe(1);
    await page.clock.fastForward(21_000);
    await page.waitForSelector('.search button.strong');
    await screenshot(page, 'quick-pairing-late');
    await page.locator('.search button.strong').click();
    await page.waitForSelector('.board .cell');
    expect(errors).toEqual([]);
    // Another player who presses the same waits alone.
    const next = await app.openPage(LOBBY);
    await next.page.locator('.presets button').nth(1).click();
    await next.page.waitForSelector('.search');
    await next.page.waitForTimeout(2000);
    expect(new URL(next.page.url()).pathname).toBe('/lobby');
    await next.page.locator('.search button').click();
    expect(await next.page.locator('.search').count()).toBe(0);
    expect(next.errors).toEqual([]);
  },
);
