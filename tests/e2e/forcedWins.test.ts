/** Forced wins, on demand. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startApp, BLANK } from './app';
import { chooseEntry, menuEntry, openMenu } from './menu';
import { openMatchAfter, startGame } from './play';

const app = startApp();

/** White to act in the movement phase, and nothing forced; `LAST` gives Black a win within three actions. */
const PLACED = 'Rc@b2 Bs@a1 c@b2 Bt@c2 Ys@a2 Rs@a3 Yc@b1 s@a2 t@c2 Yt@c1 s@a1 t@b1 Bc@b3 c@c1 Rt@c3'.split(
  ' ',
);
const LAST = 'a2-b3';

const line = (page: Page) => page.locator('.prompt .forced-win');

async function toggle(page: Page, name: string): Promise<void> {
  await chooseEntry(page, name);
}

test('forced wins are shown on demand only, and updated after every action', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/proof')) asked.push(request.url());
  });
  await openMatchAfter(page, app.url, 'proteus', [...PLACED, 'c1*c3', 'c2*c3']);
  expect(await line(page).count()).toBe(0);
  expect(asked).toEqual([]);

  await toggle(page, 'Show forced wins');
  const said = page.getByText('No forced win within 6 actions.');
  await said.first().waitFor();
  const [from, to] = LAST.split('-');
  for (const cell of [from, to]) await page.locator(`.cell[data-cell=${cell}]`).click({ force: true });
  await page.waitForFunction(() =>
    /within 3 actions/.test(document.querySelector('.forced-win')?.textContent ?? ''),
  );
  expect((await line(page).textContent())?.trim()).toBe('Black has a forced win within 3 actions.');
  const log = page.locator('[role=log]');
  await expect.poll(() => log.textContent()).toContain('Black has a forced win within 3 actions');

  // Stored, also in the other language, until switched off.
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('tavola.settings') ?? '{}') as object;
    localStorage.setItem('tavola.settings', JSON.stringify({ ...kept, language: 'ja' }));
  });
  await page.reload();
  await page.waitForFunction(() =>
    /3アクション/.test(document.querySelector('.forced-win')?.textContent ?? ''),
  );
  expect(errors).toEqual([]);
});

test('an answer for another position is dropped', { tags: 'long' }, async () => {
  const { page } = await app.openPage();
  await page.route('**/proof', (route) =>
    route.fulfill({ json: { seq: 999, plies: 6, proof: { winner: 0, plies: 1 } } }),
  );
  await startGame(page, 'person', 'proteus');
  const answered = page.waitForResponse('**/proof');
  await toggle(page, 'Show forced wins');
  await answered;
  await page.waitForTimeout(100);
  expect((await line(page).textContent())?.trim()).toBe('');
  await toggle(page, 'Hide forced wins');
  await line(page).waitFor({ state: 'detached' });
});

test('without a server-side search there is no switch', { tags: 'long' }, async () => {
  const { page } = await app.openPage();
  await page.route('**/api/games/proteus', async (route) => {
    const response = await route.fetch();
    const game = (await response.json()) as { proofs: boolean };
    await route.fulfill({ response, json: { ...game, proofs: false } });
  });
  await page.reload();
  await startGame(page, 'person', 'proteus');
  await openMenu(page);
  await (await menuEntry(page, 'Keyboard shortcuts')).waitFor();
  expect(await page.getByRole('button', { name: /forced wins/i }).count()).toBe(0);
});
