/** Tips: one sentence after the first mistake at a kind of decision, or on demand. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startApp, BLANK } from './app';
import { chooseEntry } from './menu';
import { type GameName, GAMES, openGame, playRandomAction, seededRandom, SHORT, waitForTurn } from './play';

const app = startApp();

const tip = (page: Page) => page.locator('.prompt .tip-text');

/** Selects a cell that allows no action. */
async function makeMistake(page: Page): Promise<void> {
  await page.locator('.cell:not(.touchable)').last().click({ force: true });
  await page.locator('.prompt .rejection').waitFor();
}

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 320, height: 568 },
];

const afterMistake = async (game: GameName): Promise<void> => {
  for (const [number, viewport] of SIZES.entries()) {
    const locale = number === 1 ? 'ja' : 'en';
    const { page, errors } = await app.openPage({ at: BLANK, explained: true, locale, viewport });
    await openGame(page, app.url, 'person', game);
    await waitForTurn(page);
    // Nothing before the first mistake.
    expect(await tip(page).count()).toBe(0);
    const board = () => page.locator('.board:not(.popup *)').first().boundingBox();
    const before = await board();
    await makeMistake(page);
    await tip(page).waitFor();
    const text = (await tip(page).textContent()) ?? '';
    expect(text.length).toBeGreaterThan(20);
    expect(text).not.toMatch(/[⟨{]/);
    await expect.poll(() => page.locator('[role=log]').textContent()).toContain(text);
    if (viewport.height > 640) expect(await board()).toEqual(before);
    await page.locator('.prompt .rejection .close').click();
    await tip(page).waitFor({ state: 'detached' });
    // Once only.
    await makeMistake(page);
    expect(await tip(page).count()).toBe(0);
    // Again on demand; Escape closes it, and the clause it names exists.
    await page.keyboard.press('Escape');
    await chooseEntry(page, /Explain this decision|この選択のヒントを見る/);
    await tip(page).waitFor();
    expect(await tip(page).textContent()).toBe(text);
    await page.locator('.prompt .rejection .clause').click();
    await page.locator('dialog .found').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await tip(page).waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
    await page.context().close();
  }
};

const first = '%s: the first mistake shows the tip once, and the board stands still';
test.each(GAMES)(first, { tags: 'long' }, afterMistake);

test('an undone action shows the tip, unless tips are switched off', async () => {
  for (const explained of [true, false]) {
    const { page } = await app.openPage({ at: BLANK, explained });
    await openGame(page, app.url, 'person', SHORT);
    await waitForTurn(page);
    await playRandomAction(page, seededRandom(3));
    await page.keyboard.press('u');
    if (explained) await tip(page).waitFor();
    else {
      await expect.poll(() => page.locator('.moves .entry').count()).toBe(0);
      await makeMistake(page);
      expect(await tip(page).count()).toBe(0);
    }
    await page.context().close();
  }
});
