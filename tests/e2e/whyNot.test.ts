/** "Why not this?" in a match against the computer and on the analysis board. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, screenshot, startApp, BLANK } from './app';
import { chooseEntry } from './menu';
import { card, openGame, waitForTurn } from './play';

const app = startApp();

/** Chooses actions on the board by keyboard until one is explained; the board stays as it is. */
async function chooseByKeyboard(page: Page, nth: number): Promise<void> {
  const answer = page.locator('.why-not .answer .first');
  for (let press = 0; press < 6; press += 1) {
    const cells = page.locator('.board .cell.touchable');
    await cells.nth(Math.min(nth, (await cells.count()) - 1)).focus();
    await page.keyboard.press('Enter');
    const done = await answer.waitFor({ timeout: 4_000 }).then(
      () => true,
      () => false,
    );
    if (done) return;
  }
  throw new Error('No action was explained.');
}

const explained = async (locale: string): Promise<void> => {
  const { page, errors } = await app.openPage({ at: '/analysis', locale });
  await page.locator('textarea').fill('[Game "potlatch"]\n\nPnw Pw Pne Pe\n');
  await page.locator('form button[type=submit]').click();
  await page.locator('.prompt[data-ply="0"]').waitFor();
  await page.keyboard.press('End');
  await page.locator('.prompt[data-ply="4"]').waitFor();
  await page.keyboard.press('w');
  const panel = page.locator('.why-not');
  const english = locale === 'en';
  await panel.getByText(english ? "It isn't played." : '実際には行われません。').waitFor();
  // The last action lets the other seat threaten to win.
  await panel.locator('.last').click();
  await panel.getByText(english ? /^Lowers the chances by \d+%/ : /^勝つ見込みが\d+%下がります/).waitFor();
  await panel.getByText(english ? /^Red threatens to win/ : /^赤が次の勝ちをねらっています/).waitFor();
  expect(await panel.locator('li.reply').count()).toBe(2);
  expect(await page.locator('.board .pointed path').count()).toBeGreaterThan(0);
  expect(await accessibilityViolations(page)).toEqual([]);
  await screenshot(page, `why-not-analysis-${locale}`);
  // Nothing was played, and a chosen action is not played either.
  await chooseByKeyboard(page, 0);
  expect(await page.locator('.prompt').getAttribute('data-ply')).toBe('4');
  // It ends with the position.
  await page.keyboard.press('Escape');
  await panel.locator('.toggle[aria-pressed=false]').waitFor();
  expect(await page.locator('.board .pointed').count()).toBe(0);
  // The first action is a good one.
  await page.keyboard.press('Home');
  await page.locator('.prompt[data-ply="0"]').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.locator('.prompt[data-ply="1"]').waitFor();
  await page.keyboard.press('w');
  await panel.locator('.last').click();
  await panel.getByText(english ? 'As good as the best action.' : '最善手と同じくらい').waitFor();
  expect(await panel.locator('li').count()).toBe(0);
  expect(errors).toEqual([]);
};

const title = 'the analysis board explains a mistake and a good action (%s)';
test.each(['en'])(title, explained);
test.each(['ja'])(title, { tags: 'long' }, explained);

test('against the computer every legal action and the last one can be asked about', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openGame(page, app.url, 'engine', 'potlatch');
  const panel = page.locator('.why-not');
  const moves = page.locator('aside .moves .entry');
  await panel.getByRole('button', { name: 'Why not this?' }).click();
  // Before the first own action there is only the board to choose from.
  expect(await panel.locator('.last').count()).toBe(0);
  await chooseByKeyboard(page, 0);
  await panel.getByText(/As good as|Lowers the chances|Loses by force/).waitFor();
  expect(await moves.count()).toBe(0);
  await screenshot(page, 'why-not-match');
  await page.keyboard.press('w');
  // Now an action is played, and asked about.
  await page.locator('.board .cell.touchable').first().focus();
  await page.keyboard.press('Enter');
  await moves.first().waitFor();
  await waitForTurn(page);
  await page.keyboard.press('w');
  await panel.locator('.last').click();
  await panel.getByText(/As good as|Lowers the chances|Loses by force/).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test(
  'on a phone the menu asks, and against other people nothing is explained',
  { tags: 'long' },
  async () => {
    const { page } = await app.openPage({ at: BLANK, viewport: { width: 360, height: 740 } });
    await openGame(page, app.url, 'engine', 'potlatch');
    const panel = page.locator('.why-not');
    expect(await panel.isVisible()).toBe(false);
    await chooseEntry(page, 'Why not this?');
    await panel.getByText("It isn't played.").waitFor();
    await screenshot(page, 'why-not-phone');
    await page.goto(app.url);
    await card(page, 'potlatch').getByRole('button', { name: 'Play with a friend' }).click();
    await page.waitForSelector('.board .cell.touchable');
    expect(await page.locator('.why-not').count()).toBe(0);
  },
);
