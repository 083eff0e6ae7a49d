/** A browser that cannot store anything. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BLANK, accessibilityViolations, screenshot, startApp } from './app';
import { actions, playRandomAction, seededRandom, startGame, waitForTurn } from './play';

const app = startApp();

/** Opens the start page where storage is full, or forbidden. */
async function open(fault: 'full' | 'forbidden'): Promise<Page> {
  const { page } = await app.openPage({ at: BLANK, explained: true });
  await page.context().addInitScript((what) => {
    if (what === 'full') {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    } else {
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    }
  }, fault);
  await page.goto(app.url);
  await page.waitForSelector('article .picture svg[role=img]');
  return page;
}

test('with full storage a game on this device is played on, with a warning and a download', async () => {
  const page = await open('full');
  await page.route('**/api/matches', (route) => route.abort());
  await startGame(page, 'person');
  await page.waitForURL('**/match/device-*');
  const played = await actions(page);
  await playRandomAction(page, seededRandom(1));
  await waitForTurn(page);
  expect(await actions(page)).toBeGreaterThan(played);
  const notice = page.getByRole('alert').filter({ hasText: "browser's storage is full" });
  await notice.waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await screenshot(page, 'storage');
  const download = page.waitForEvent('download');
  await notice.getByRole('button', { name: 'Download game record' }).click();
  expect((await download).suggestedFilename()).toMatch(/^potlatch-device-.*\.txt$/);
});

test('where storage is forbidden, a game for two and an analysis open, with a warning', async () => {
  const page = await open('forbidden');
  await startGame(page, 'person');
  await playRandomAction(page, seededRandom(1));
  await waitForTurn(page);
  await page.getByText('stores nothing for Tavola').waitFor();
  expect(await page.getByText('Spectating').count()).toBe(0);
  // The link carries the seats to a browser that can store them.
  await page.getByRole('alert').getByRole('button', { name: 'Continue on another device' }).click();
  expect(await page.getByRole('dialog').getByRole('textbox').inputValue()).toContain('#seat=');
  await page.keyboard.press('Escape');

  await page.goto(`${app.url}/analysis`);
  await page.locator('form button[type=submit]').first().click();
  await page.waitForSelector('.board .cell');
});
