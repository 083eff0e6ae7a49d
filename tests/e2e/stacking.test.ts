/** Passtally: previews of placements, what cannot be undone, and scoring lines. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startApp, BLANK } from './app';
import {
  openSetup,
  confirm,
  seededRandom,
  canConfirm,
  waitForTurn,
  isOver,
  openMatchAfter,
  playRandomAction,
} from './play';

const app = startApp();

/** All markers are placed: seat 0 at both ends of column a and of row 1. */
const SET = 'Na Nb Sb Sa E1 E2 W2 W1'.split(' ');

const cell = (page: Page, name: string) => page.locator(`.cell[data-cell=${name}]`);
const click = (page: Page, name: string) => cell(page, name).click({ force: true });

test('a tile is rotated, previewed with its prospect, and placed', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openMatchAfter(page, app.url, 'passtally', SET, true);
  const undo = page.getByRole('button', { name: /^Undo/ }).first();
  expect(await cell(page, 'pile-1-b').count()).toBe(0);
  await click(page, 'pile-1');

  // Beyond the edge in this rotation: the cell says why.
  await click(page, 'f4');
  expect(await page.locator('.rejection').textContent()).toMatch(/rim|edge|board/i);
  await click(page, 'a4');
  const ghost = page.locator('.board .preview');
  await ghost.first().waitFor({ state: 'attached' });
  await expect
    .poll(() => ghost.evaluateAll((all) => all.map((one) => one.getAttribute('data-cell'))))
    .toEqual(['a4', 'b4']);
  await page.waitForFunction(() => document.querySelectorAll('.prompt .foreseen li').length === 2);
  const foreseen = await page.locator('.prompt .foreseen').textContent();
  expect(foreseen).toMatch(/Orange.*Violet/s);
  expect(await page.locator('.prompt .warning').textContent()).toMatch(/can't be undone/);
  expect(await page.locator('.board .number').allTextContents()).toHaveLength(2);

  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.board .preview')].some((one) => one.getAttribute('data-cell') === 'a3'),
  );
  expect(await page.locator('.moves .entry').count()).toBe(8 + 3);

  // Selecting another cell moves it there.
  await click(page, 'a5');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.board .preview')].every((one) =>
      /^a[45]$/.test(one.getAttribute('data-cell') ?? ''),
    ),
  );
  await page.locator('.prompt .strong').click();
  await page.waitForFunction(() => document.querySelectorAll('.here[data-cell=a5]').length === 1);
  await waitForTurn(page);
  await expect.poll(() => page.locator('.board .number').allTextContents()).toEqual(['1', '1']);
  expect(await undo.isDisabled()).toBe(true);
  expect(await undo.textContent()).toMatch(/can't be undone/);

  // A marker can be undone as long as nothing is drawn.
  await click(page, 'W1');
  const free = page.locator('.cell.touchable[data-cell^=W], .cell.touchable[data-cell^=S]').first();
  const there = await free.getAttribute('data-cell');
  await free.click({ force: true });
  await page.waitForFunction(
    (name) => document.querySelectorAll(`.here[data-cell=${name}]`).length === 1,
    there,
  );
  expect(await undo.isDisabled()).toBe(false);
  expect(await undo.textContent()).toMatch(/can be undone/);
  await undo.click();
  await page.waitForFunction(() => document.querySelectorAll('.here[data-cell=W1]').length === 1);
  expect(await undo.isDisabled()).toBe(true);
  expect(errors).toEqual([]);
});

test('a scoring line lights up, is counted, and is announced', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage({ at: BLANK, reducedMotion: 'no-preference' });
  await openMatchAfter(page, app.url, 'passtally', SET);
  await page.waitForSelector('.board .lines [data-owner="0"]', { state: 'attached' });
  // Two marker moves there and back: the bare lines score nothing.
  expect(await page.locator('.board .lines [data-owner]').count()).toBeGreaterThanOrEqual(2);
  for (const name of ['E2', 'E3']) {
    // Seat 0 does not own E2: the page explains that.
    await click(page, name);
    await page.locator('.rejection').waitFor();
    await page.keyboard.press('Escape');
  }
  await click(page, 'pile-1');
  await click(page, 'c3');
  await page.keyboard.press('c');
  await page.waitForFunction(() => document.querySelectorAll('.here[data-cell=c3]').length === 1);
  await waitForTurn(page);
  await click(page, 'pile-2');
  await click(page, 'c5');
  await page.keyboard.press('c');
  await page.waitForFunction(() => document.querySelectorAll('.here[data-cell=c5]').length === 1);
  await page.waitForFunction(() =>
    /Violet to play/.test(document.querySelector('.prompt h2')?.textContent ?? ''),
  );
  await expect.poll(() => page.locator('[role=log]').textContent()).toMatch(/line|scores/);
  expect(errors).toEqual([]);
});

test('a whole game of three people on one device', { tags: 'long', timeout: 180_000 }, async () => {
  const { page, errors } = await app.openPage();
  await openSetup(page, 'passtally', true);
  await page.locator('dialog').getByText('3 players').first().click();
  await page.waitForFunction(() => document.querySelectorAll('dialog .seat select').length === 3);
  for (const seat of [0, 1, 2]) await page.locator('dialog .seat select').nth(seat).selectOption('person');
  await page.locator('dialog button[type=submit]').click();
  await page.waitForSelector('.board .cell');
  expect(await page.locator('section.seat').count()).toBe(3);
  const roll = seededRandom(5);
  for (let touches = 0; touches < 600 && !(await isOver(page)); touches += 1) {
    await waitForTurn(page);
    if (await isOver(page)) break;
    if (await canConfirm(page)) await confirm(page);
    else await playRandomAction(page, roll);
  }
  expect(await page.locator('.prompt h2').textContent()).toMatch(/wins/);
  expect((await page.locator('.prompt .words p').first().textContent())?.length).toBeGreaterThan(10);
  expect(errors).toEqual([]);
});
