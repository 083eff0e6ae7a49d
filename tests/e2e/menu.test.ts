/** The menu of a match: few entries, with the others in groups, by pointer and by key. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, BLANK, screenshot, startApp } from './app';
import { menuEntry, openMenu } from './menu';
import { openGame, resign } from './play';
import { startTwoPlayerMatch } from './twoPlayers';

const app = startApp();

/** Opens the menu, returns the number of its entries, and closes it. */
async function countEntries(page: Page): Promise<number> {
  await openMenu(page);
  const count = await page.locator('.entries > button, .entries > details > summary').count();
  expect(await page.locator('.entries details[open]').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  return count;
}

async function hasFewEntries(page: Page): Promise<void> {
  const count = await countEntries(page);
  expect(count).toBeGreaterThan(4);
  expect(count).toBeLessThanOrEqual(7);
}

test(
  'the menu has at most seven entries: playing, watching, offline, at the end',
  { tags: 'long' },
  async () => {
    const { red, blue, match, command } = await startTwoPlayerMatch(app, {}, { far: true });
    const { page: spectator } = await app.openPage({ at: BLANK });
    await spectator.goto(`${app.url}/match/${match}`);
    await spectator.waitForSelector('.board .cell');
    const pages = [red, blue, spectator];
    for (const page of pages) await hasFewEntries(page);
    await red.context().setOffline(true);
    await hasFewEntries(red);
    await red.context().setOffline(false);
    await red.reload();
    await red.waitForSelector('.board .cell');
    await command(1, { do: 'resign' });
    for (const page of pages) {
      await page.locator('.prompt.over').waitFor();
      await hasFewEntries(page);
    }
  },
);

test('the menu has at most seven entries: alone, on this device, by keyboard', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openGame(page, app.url, 'person', 'potlatch');
  await hasFewEntries(page);
  await openMenu(page);
  // A group opens by key, closes the one before, and its entries follow in the order of the focus.
  const summary = page.locator('.entries summary').filter({ hasText: 'Share and save' });
  await summary.focus();
  await page.keyboard.press('Enter');
  const first = page.locator('.entries details[open] button:enabled').first();
  await first.waitFor();
  await page.keyboard.press('Tab');
  expect(await first.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await accessibilityViolations(page, 'dialog')).toEqual([]);
  await screenshot(page, 'menu');
  await menuEntry(page, 'Keyboard shortcuts');
  expect(await page.locator('.entries details[open]').count()).toBe(1);
  await page.keyboard.press('Escape');
  await resign(page);
  await hasFewEntries(page);
  expect(errors).toEqual([]);
});
