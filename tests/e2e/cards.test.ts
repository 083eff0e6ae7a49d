/** Cards beside the board, and previews of a selection. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startApp, BLANK, phone } from './app';
import { confirm, openGame, openMatchAfter } from './play';

const app = startApp();

/** A whole placement: King, Shape and Color are on, and White is to act. */
const PLACED = 'Rc@b2 Bs@a1 c@b2 Bt@c2 Ys@a2 Rs@a3 Yc@b1 s@a2 t@c2 Yt@c1 s@a1 t@b1 Bc@b3 c@c1 Rt@c3'.split(
  ' ',
);

async function play(page: Page, token: string): Promise<void> {
  const entries = await page.locator('.moves .entry').count();
  const [, piece, cell] = /^(\w+)@(\w\d)$/.exec(token) ?? [];
  if (piece === undefined || cell === undefined) throw new Error(token);
  const seat = entries % 2;
  const from = piece.length === 2 ? `pool-${piece}` : `hand-${seat}-${piece}`;
  for (const touched of [from, cell]) {
    await page.locator(`.cell.touchable[data-cell=${touched}]`).click({ force: true });
  }
  await page.waitForFunction((count) => document.querySelectorAll('.moves .entry').length > count, entries);
  await confirm(page);
  await page.waitForSelector('.cell.touchable');
}

test('a flip changes its card, and is shown and announced', async () => {
  const { page, errors } = await app.openPage({ at: BLANK, reducedMotion: 'no-preference' });
  await openGame(page, app.url, 'person', 'proteus');
  const red = page.locator('.card').first();
  expect(await red.textContent()).toMatch(/none yet/);
  await play(page, 'Rc@b2');
  await play(page, 'Bs@a1');
  await play(page, 'c@b2');
  await page.waitForFunction(() => /King/.test(document.querySelector('.card')?.textContent ?? ''));
  for (const told of ['.prompt .news', '[role=log]'])
    await expect.poll(() => page.locator(told).textContent()).toMatch(/King is now active/);
  expect(errors).toEqual([]);
});

test('hovering a card highlights its cells, and a counter shows its targets', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openMatchAfter(page, app.url, 'proteus', PLACED);
  expect(await page.locator('.cell').count()).toBe(9);
  const [move, trade, goal] = await page.locator('.card').all();
  if (!move || !trade || !goal) throw new Error('There are no three cards.');

  await move.hover();
  // White's square can move to a3 and b3: arrows, though the tiles of a2 and a3 may also trade.
  await expect.poll(() => page.locator('.card-highlight path.head').count()).toBe(2);
  expect(await page.locator('.card-highlight circle.head').count()).toBe(0);
  await trade.hover();
  await expect.poll(() => page.locator('.card-highlight circle.head').count()).toBe(2 * 9);
  await page.mouse.move(0, 0);
  await expect.poll(() => page.locator('.board .card-highlight').count()).toBe(0);

  // By keyboard the highlight is also read out.
  await page.keyboard.press('Tab');
  await goal.focus();
  await page.waitForSelector('.board .card-highlight');
  await goal.press('Enter');
  await expect.poll(() => goal.getAttribute('aria-pressed')).toBe('true');
  expect(await goal.textContent()).toMatch(/Goal: .*win/s);
  const described = await move.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${described}"]`).textContent()).toMatch(
    /^Cell [abc][123]: Cell [abc][123]/,
  );

  // A counter under the pointer shows its targets; selecting it closes the card.
  const counter = page.locator('.cell.touchable[data-cell=a2]');
  await counter.hover({ force: true });
  await page.locator('.marked.follows').first().waitFor({ state: 'attached' });
  await counter.click({ force: true });
  await expect.poll(() => goal.getAttribute('aria-pressed')).toBe('false');
  expect(errors).toEqual([]);
});

test('on a phone a tapped card shows its text', { tags: 'long' }, async () => {
  const { page } = await app.openPage({
    at: BLANK,
    ...phone(360, 740),
  });
  await openGame(page, app.url, 'person', 'proteus');
  // The pointer that started the match is far away.
  await page.mouse.move(0, 0);
  const goal = page.locator('.card').nth(2);
  const note = page.locator('.prompt .note');
  await note.waitFor({ state: 'detached' });
  await goal.tap();
  await note.filter({ hasText: /will set the goal/ }).waitFor();
  await goal.tap();
  await note.waitFor({ state: 'detached' });
});
