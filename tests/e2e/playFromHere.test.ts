/** "Play from here": a game on this device begins from a position of the analysis board or of the editor. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, startApp } from './app';
import { chooseEntry } from './menu';
import { actions, GAMES, playRandomAction, seededRandom, waitForTurn } from './play';

const app = startApp();

/** Blue is to act. */
const BLUE = '0,0:0;1,0:0;0,1:1 0,0;1,0 B 0 1,0 0 1 -';

/** The position from which the game on screen began. */
const beginning = (page: Page) =>
  page.evaluate(() => {
    const stored = localStorage.getItem(`tavola.${location.pathname.split('/').at(-1) ?? ''}`) ?? '{}';
    return (JSON.parse(stored) as { position?: string }).position;
  });

/** Starts from the set-up that is open, and waits for the board. */
async function start(page: Page): Promise<void> {
  await page.locator('dialog button[type=submit]').click();
  await page.waitForURL('**/match/device-*');
  await page.waitForSelector('.board .cell');
  await waitForTurn(page);
}

test('a position that was set up is played against the computer, by the seat to move', async () => {
  const { page, errors } = await app.openPage({
    at: `/analysis?game=potlatch&edit=1&position=${encodeURIComponent(BLUE)}`,
  });
  await page.getByRole('button', { name: 'Play from here', disabled: false }).click();
  const dialog = page.getByRole('dialog', { name: 'Play from here' });
  await dialog.locator('.levels label').first().click();
  expect(await dialog.getByRole('radio', { name: 'Blue' }).isChecked()).toBe(true);
  // No one else can join, and no rating is at stake.
  expect(await dialog.getByText(/invit|Rated/i).count()).toBe(0);
  expect(await accessibilityViolations(page)).toEqual([]);
  await start(page);
  expect(await beginning(page)).toBe(BLUE);
  await playRandomAction(page, seededRandom(1));
  await expect.poll(() => actions(page)).toBe(1);
  // It is stored with its first position, and opens for analysis with it.
  await page.reload();
  await expect.poll(() => actions(page)).toBe(1);
  await chooseEntry(page, 'Analyse this game');
  await page.locator('.prompt[data-ply="1"]').waitFor();
  expect(errors).toEqual([]);
});

test.each(GAMES)(
  '%s: two people play on from a position of the analysis board',
  { tags: 'long' },
  async (game) => {
    const { page, errors } = await app.openPage({ at: `/analysis?game=${game}` });
    await page.locator('.board .cell.touchable').first().waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Play from here' }).click();
    await page.getByRole('dialog').getByText('This device', { exact: true }).click();
    await start(page);
    expect(await beginning(page)).toMatch(/ /);
    await playRandomAction(page, seededRandom(2));
    expect(errors).toEqual([]);
  },
);
