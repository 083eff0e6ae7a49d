/** Tips for a first game. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startApp, BLANK } from './app';
import { chooseEntry } from './menu';
import {
  type GameName,
  GAMES,
  openGame,
  openMatchWhen,
  playRandomAction,
  seededRandom,
  startGame,
  waitForTurn,
} from './play';

const app = startApp();

const explanation = (page: Page) => page.getByRole('region', { name: 'Tip' });

const tipOnce = async (game: GameName): Promise<void> => {
  const { page, errors } = await app.openPage({ at: BLANK, explained: true });
  await openGame(page, app.url, 'person', game);
  await explanation(page).waitFor();
  const text = (await explanation(page).locator('p').textContent()) ?? '';
  expect(text.length).toBeGreaterThan(40);
  expect(text).not.toMatch(/[⟨{]/);
  await expect.poll(() => page.locator('[role=log]').textContent()).toContain(text);
  // The clause it names exists.
  const rule = explanation(page).getByRole('button', { name: /^Rule \d/ });
  await rule.click();
  await page.locator('dialog .found').waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await waitForTurn(page);
  expect(await explanation(page).count()).toBe(0);
  // Shown again on demand; Escape closes it.
  await chooseEntry(page, 'Explain this decision');
  await explanation(page).waitFor();
  expect(await explanation(page).locator('p').textContent()).toBe(text);
  await page.keyboard.press('Escape');
  await explanation(page).waitFor({ state: 'detached' });
  // The player can play on, with the tip open or not.
  const roll = seededRandom(3);
  for (let touches = 0; touches < 3; touches += 1) {
    if ((await page.locator('.prompt .strong:enabled').count()) === 0) await playRandomAction(page, roll);
  }
  expect(errors).toEqual([]);
};

const first = '%s: the first decision shows its tip once, and the tip covers nothing';
test.each(GAMES.filter((game) => game === 'potlatch'))(first, tipOnce);
test.each(GAMES.filter((game) => game !== 'potlatch'))(first, { tags: 'long' }, tipOnce);

test('on a phone a tap closes the tip, and tips can be switched off', { tags: 'long' }, async () => {
  const { page } = await app.openPage({
    at: BLANK,
    explained: true,
    viewport: { width: 320, height: 568 },
    hasTouch: true,
    isMobile: true,
  });
  await openGame(page, app.url, 'person', 'montana');
  await explanation(page).waitFor();
  const box = await explanation(page).boundingBox();
  expect(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 320 && box.y + box.height <= 568).toBe(true);
  await explanation(page).locator('p').tap();
  await explanation(page).waitFor({ state: 'detached' });
  await chooseEntry(page, 'Explain this decision');
  await explanation(page).getByRole('button', { name: "Don't show tips" }).tap();
  await explanation(page).waitFor({ state: 'detached' });
  await page.goto(app.url);
  await page.waitForSelector('article .picture svg[role=img]');
  await startGame(page, 'person', 'passtally');
  expect(await explanation(page).count()).toBe(0);
});

const PHONES = [
  [390, 844],
  [320, 568],
] as const;

test.each(PHONES)(
  'on a phone of %i by %i the tip and the question are beside the board',
  { tags: 'long' },
  async (width, height) => {
    for (const [number, game] of GAMES.entries()) {
      // Each game in both languages, over the two sizes.
      const locale = (number + Number(width === 320)) % 2 === 0 ? 'en' : 'ja';
      const { page } = await app.openPage({
        at: BLANK,
        explained: true,
        locale,
        viewport: { width, height },
        hasTouch: true,
        isMobile: true,
      });
      await openGame(page, app.url, 'person', game);
      const boxOf = async (part: string) => {
        const box = await page.locator(part).boundingBox();
        if (!box) throw new Error(`${part} is not there`);
        return box;
      };
      const [board, card, prompt] = [
        await boxOf('.board:not(.popup *)'),
        await boxOf('.tip'),
        await boxOf('.prompt'),
      ];
      const what = `${game}, ${locale}`;
      expect(board.height, what).toBeGreaterThan(100);
      expect(board.y + board.height, what).toBeLessThanOrEqual(card.y);
      expect(card.y + card.height, what).toBeLessThanOrEqual(prompt.y);
      expect(prompt.y + prompt.height, what).toBeLessThanOrEqual(height);
      await page.context().close();
    }
  },
);

test.each(['en', 'ja'])(
  'on the smallest phone the tip leaves room for panels (%s)',
  { tags: 'long' },
  async (locale) => {
    const { page } = await app.openPage({
      at: BLANK,
      explained: true,
      locale,
      viewport: { width: 320, height: 568 },
      hasTouch: true,
      isMobile: true,
    });
    // The longest tip, and the most buttons.
    await openMatchWhen(page, app.url, 'montana', ({ view: { actions } }) =>
      actions.some(({ kind }) => kind === 'recruit') ? null : (actions[0]?.token ?? null),
    );
    await explanation(page)
      .or(page.getByRole('region', { name: 'ヒント' }))
      .waitFor();
    const board = await page.locator('.board:not(.popup *)').boundingBox();
    expect(board?.height).toBeGreaterThan(150);
  },
);
