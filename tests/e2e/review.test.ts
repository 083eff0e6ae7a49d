/** The review of a finished match. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, startApp, screenshot, BLANK } from './app';
import {
  seededRandom,
  type Position,
  resign,
  openMatchAfter,
  openMatchWhen,
  playRandomAction,
  openGame,
} from './play';

const app = startApp();

/** Blue walls itself in, and Red wins. */
const SHORTEST = 'Pnw Pw Pne Pe Pse Pse Cw'.split(' ');

async function lookBack(page: Page): Promise<void> {
  await openMatchAfter(page, app.url, 'potlatch', SHORTEST);
  await page.getByRole('button', { name: 'Review' }).click();
}

const slider = (page: Page) => page.getByRole('slider', { name: 'Position' });
const pieces = (page: Page) => page.locator('.board use').count();

test('the review moves by buttons, keys, slider and list, and closes', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await lookBack(page);
  expect(await slider(page).inputValue()).toBe('7');
  const atLast = await pieces(page);
  await page.getByRole('button', { name: 'First' }).click();
  await page.getByRole('heading', { name: 'Starting position' }).waitFor();
  await expect.poll(() => pieces(page)).toBeLessThan(atLast);
  const atFirst = await pieces(page);
  await page.keyboard.press('.');
  await page.getByRole('heading', { name: '1. Red' }).waitFor();
  await slider(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => slider(page).getAttribute('aria-valuetext')).toBe('Action 2 of 7');
  await page.locator('.moves .entry button').nth(5).click();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.review input')?.value === '6');
  await page.keyboard.press(',');
  await expect.poll(() => slider(page).inputValue()).toBe('5');
  await expect.poll(() => pieces(page)).toBeGreaterThan(atFirst);
  // Nothing can be played there.
  expect(await page.locator('.cell.touchable').count()).toBe(0);
  await page.getByRole('button', { name: 'Back to result' }).click();
  await page.getByRole('heading', { name: 'Red wins' }).waitFor();
  expect(errors).toEqual([]);
});

test('the analysis shows win chances, best moves and the cost of mistakes', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await lookBack(page);
  await slider(page).fill('4');
  await page.locator('.suggestions .rank').first().waitFor();
  const label = (await page.locator('.review .shares').getAttribute('aria-label')) ?? '';
  const [red, blue] = [...label.matchAll(/(\d+)%/g)].map(([, share]) => Number(share));
  expect(label).toMatch(/^Red \d+%, Blue \d+%$/);
  expect(Math.abs((red ?? 0) + (blue ?? 0) - 100)).toBeLessThanOrEqual(1);
  // A selected best move is shown alone.
  const best = page.getByRole('region', { name: 'Best moves' }).getByRole('button');
  await best.nth(1).focus();
  // The analysis continues, and the order may change.
  await page.waitForFunction(() => {
    const shown = [...document.querySelectorAll('.suggestions .rank')].map((rank) =>
      rank.textContent?.trim(),
    );
    const own = document.activeElement?.querySelector('.rank')?.textContent?.trim();
    return own !== undefined && shown.length === 1 && shown[0] === own;
  });
  // Announced once to screen readers.
  await page.waitForFunction(() => /Best: /.test(document.querySelector('[role=log]')?.textContent ?? ''));
  // After the position the whole game: the cost of walling oneself in.
  await page.locator('.moves .cost').first().waitFor({ timeout: 60_000 });
  const graph = page.getByRole('img', { name: 'Win chances over the game' });
  await graph.waitFor();
  for (const size of [
    { width: 1280, height: 800 },
    { width: 360, height: 740 },
  ]) {
    await page.setViewportSize(size);
    // The frame cuts off the rest.
    const frame = await page.locator('.graph').boundingBox();
    expect(frame?.height).toBeGreaterThan(60);
    expect(frame?.width).toBeGreaterThan(200);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('region', { name: 'Luck and skill' }).waitFor();
  // Off: nothing of it is left on the board.
  await page.getByRole('button', { name: 'Analysis' }).click();
  await expect.poll(() => page.locator('.suggestions, .review .shares').count()).toBe(0);
  expect(errors).toEqual([]);
});

test(
  'the review begins with the decisive moments, and a mistake is a small puzzle',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage({ at: BLANK });
    await lookBack(page);
    const moments = page.getByRole('region', { name: 'Decisive moments' });
    await page.getByRole('region', { name: 'Luck and skill' }).waitFor({ timeout: 60_000 });
    const rows = moments.getByRole('listitem');
    expect(await rows.count()).toBeLessThanOrEqual(3);
    await moments.getByText(/^0 of \d improved$/).waitFor();
    await screenshot(page, 'moments-desk');
    await moments
      .getByRole('button', { name: /Find better/ })
      .first()
      .click();
    await moments.getByText(/to act. Find a better move./).waitFor();
    // The best moves stay hidden.
    await page.locator('.cell.touchable').first().waitFor();
    await page.waitForTimeout(1_000);
    expect(await page.locator('.suggestions .rank').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Best moves' }).count()).toBe(0);
    await playRandomAction(page, seededRandom(1));
    await moments.getByText(/Well done!|isn't better|was played/).waitFor({ timeout: 20_000 });
    await moments.getByRole('button', { name: 'Close' }).click();
    await moments
      .getByRole('button', { name: /Find better/ })
      .first()
      .click();
    // The panel scrolls the buttons of the task into sight.
    const solution = moments.getByRole('button', { name: 'Show the solution' });
    const hidden = () =>
      solution.evaluate((button) => {
        const panel = button.closest('.review')?.getBoundingClientRect();
        return !panel || button.getBoundingClientRect().bottom > panel.bottom;
      });
    await expect.poll(hidden).toBe(false);
    await solution.click();
    await moments.getByText('The best move.').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await moments.getByText('The best move.').scrollIntoViewIfNeeded();
    await screenshot(page, 'moments-phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await accessibilityViolations(page, '.review')).toEqual([]);
    await moments.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.locator('.cell.touchable').count()).toBe(0);
    await page.getByRole('row', { name: /accuracy/ }).waitFor();
    expect(errors).toEqual([]);
  },
);

test('a variation is tried out and analysed, and closed', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await lookBack(page);
  await slider(page).fill('2');
  await page.locator('.suggestions .rank').first().waitFor();
  const before = await pieces(page);
  const variation = page.getByRole('button', { name: 'Variation' });
  await variation.click();
  await page.getByRole('heading', { name: 'Try a different move' }).waitFor();
  await playRandomAction(page, seededRandom(4));
  const tried = page.locator('.review h2', { hasText: /Place|Move/ });
  await tried.waitFor();
  await page.locator('.suggestions .rank').first().waitFor();
  await screenshot(page, 'variation-desk');
  // Play on and undo: the match stays as it was.
  await playRandomAction(page, seededRandom(4));
  await expect.poll(async () => (await tried.textContent())?.split('·')).toHaveLength(2);
  await page.keyboard.press('u');
  await page.waitForFunction(() => !document.querySelector('.review h2')?.textContent?.includes('·'));
  expect(await page.locator('.moves .entry').count()).toBe(SHORTEST.length);
  await page.setViewportSize({ width: 390, height: 780 });
  await screenshot(page, 'variation-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await variation.click();
  await page.getByRole('heading', { name: '1. Red' }).waitFor();
  await expect.poll(() => page.locator('.cell.touchable').count()).toBe(0);
  await expect.poll(() => pieces(page)).toBe(before);
  await page.locator('.suggestions .rank').first().waitFor();
  // Moving elsewhere leaves the variation.
  await variation.click();
  await page.getByRole('heading', { name: 'Try a different move' }).waitFor();
  await page.keyboard.press('.');
  await page.getByRole('heading', { name: '2. Blue' }).waitFor();
  await page.getByRole('button', { name: 'Back to result' }).click();
  await page.getByRole('heading', { name: 'Red wins' }).waitFor();
  expect(errors).toEqual([]);
});

test.each(['light', 'dark'] as const)(
  'the review is accessible, %s',
  { tags: 'long' },
  async (colorScheme) => {
    const { page } = await app.openPage({ at: BLANK, colorScheme, viewport: { width: 390, height: 844 } });
    await lookBack(page);
    await slider(page).fill('3');
    await page.locator('.suggestions .rank').first().waitFor();
    expect(await accessibilityViolations(page, '.review')).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  },
);

test('on a landscape phone the analysis has all the room beside the board', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK, viewport: { width: 844, height: 390 } });
  await lookBack(page);
  await slider(page).fill('4');
  await page.locator('.suggestions .rank').first().waitFor();
  const box = await page.locator('.review').boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(360);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(390);
});

test(
  'after a resignation the review shows the best moves and the seat to act',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage({ at: BLANK });
    await openMatchAfter(page, app.url, 'potlatch', SHORTEST.slice(0, 2));
    await resign(page);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.locator('.suggestions .rank').first().waitFor();
    await screenshot(page, 'review-resigned');
    await page.getByRole('button', { name: 'Analysis' }).click();
    await page.getByRole('button', { name: 'Variation' }).click();
    await page.locator('.prompt').getByRole('heading', { name: 'Blue' }).waitFor();
    await playRandomAction(page, seededRandom(4));
    await page.locator('.review h2', { hasText: /Place|Move/ }).waitFor();
    expect(errors).toEqual([]);
  },
);

test(
  'montana: on a phone a selected best move is visible, whatever panel was open',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage({ at: BLANK });
    const main = ({ view }: Position) =>
      view.actions.some(({ kind }) => kind === 'work') ? null : (view.actions[0]?.token ?? null);
    await openMatchWhen(page, app.url, 'montana', main);
    await resign(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('tab', { name: 'City' }).click();
    const best = page.getByRole('region', { name: 'Best moves' }).getByRole('button', { name: /worker/ });
    // The analysis continues, and another move may be the best meanwhile.
    await expect
      .poll(async () => {
        await best.first().focus();
        return page.locator('.suggestions .rank').count();
      })
      .toBe(1);
    await page.getByRole('tab', { name: 'Work', selected: true }).waitFor();
    // The user may look at another panel while the analysis continues.
    await page.getByRole('tab', { name: 'City' }).click();
    await page.waitForTimeout(700);
    expect(await page.getByRole('tab', { name: 'City', selected: true }).count()).toBe(1);
    expect(errors).toEqual([]);
  },
);

test('a running match cannot be reviewed', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK });
  await openGame(page, app.url, 'person');
  expect(await page.getByRole('button', { name: 'Review' }).count()).toBe(0);
});
