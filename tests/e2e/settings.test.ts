/** Settings: boards and pieces are flat in high contrast, each by itself. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BLANK, startApp } from './app';
import { chooseEntry } from './menu';
import { openGame } from './play';

const app = startApp();

/** Whether a colour has one tone there, as flat colours have. */
const isFlat = (page: Page, where: string) =>
  page
    .locator(where)
    .first()
    .evaluate((element) => {
      const style = getComputedStyle(element);
      return style.getPropertyValue('--blue-lit') === style.getPropertyValue('--blue');
    });

test('an earlier setting of both is read, and board and pieces are chosen apart', async () => {
  const { page, errors } = await app.openPage({ at: BLANK, locale: 'ja' });
  await page.evaluate(() => localStorage.setItem('tavola.settings', '{"look":"flat","explain":false}'));
  await openGame(page, app.url, 'person');
  const looks = async () => [
    await isFlat(page, '.board .scenery'),
    await isFlat(page, '.board g[data-cell]:not(.cell)'),
  ];
  expect(await looks()).toEqual([true, true]);
  await chooseEntry(page, /設定/);
  const pieces = page.getByRole('group', { name: '駒' });
  await pieces.getByText('標準').click();
  expect(await looks()).toEqual([true, false]);
  await page.reload();
  await page.waitForSelector('.board .cell');
  expect(await looks()).toEqual([true, false]);
  expect(errors).toEqual([]);
});
