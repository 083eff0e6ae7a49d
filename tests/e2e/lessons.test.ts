/** Lessons: a step right and wrong, whole lessons, progress, and a whole game afterwards. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, startApp, BLANK, screenshot, phone } from './app';
import { lessonsOf, openLesson, solve } from './lessons';
import { coveredCells, type GameName, GAMES, waitForTurn, SHORT } from './play';

const app = startApp();

/** Plays a lesson to its end by keyboard. */
async function playLesson(page: Page, game: GameName, lesson: string): Promise<void> {
  const known = (await lessonsOf(app.url, game)).find(({ id }) => id === lesson);
  if (!known) throw new Error(`${game} has no lesson ${lesson}`);
  await openLesson(page, app.url, game, lesson);
  for (const step of known.steps.keys()) {
    await solve(page, app.url, game, lesson, step);
    // The next button has the focus.
    await page.keyboard.press('Enter');
    if (step + 1 < known.steps.length)
      await page.waitForFunction(() => document.querySelector('.task')?.getAttribute('data-count') === '0');
  }
  await page.waitForSelector('.end');
}

test('a newcomer finds the first lesson, plays it by keyboard, and then a whole game', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await playLesson(page, SHORT, 'first');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'All lessons' }).last().click();
  const section = page.locator(`section[data-game=${SHORT}]`);
  await section.getByText(/^1 of \d+ lessons done$/).waitFor();
  expect(await section.locator('li').first().innerText()).toMatch(/done/);
  await page.reload();
  await section.getByText(/^1 of \d+ lessons done$/).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.goBack();
  await page.waitForSelector('.task');
  expect(errors).toEqual([]);
});

test('a step wrong is answered with why, on the board, and can be tried again', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openLesson(page, app.url, SHORT, 'first');
  const board = page.locator('.board');
  // An illegal try shows the rule.
  await page.locator('.cell[data-cell="1,0"]').click({ force: true });
  await page.locator('.rejection').getByText('Occupied by the other pawn.').waitFor();
  for (const size of [
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size);
    await expect.poll(() => coveredCells(page)).toEqual([]);
    expect(await page.locator('.cell.touchable').count()).toBeGreaterThan(0);
    await screenshot(page, `rejection-${size.width}`);
  }
  await page.locator('.cell[data-cell="-1,1"]').click({ force: true });
  await page.locator('.cell[data-cell="0,1"].touchable').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelector('.task')?.getAttribute('data-count') === '0');
  // The position of the third step, where a wrong try has an answer of its own.
  await page.evaluate(() => localStorage.setItem('tavola.lessons', JSON.stringify({ 'potlatch/first': 2 })));
  await page.reload();
  await page.getByText('Step 3 of 5').first().waitFor();
  // By keyboard: pieces in front of a cell take clicks.
  const touch = async (cell: string) => {
    await page.locator(`.cell[data-cell="${cell}"].touchable`).focus();
    await page.keyboard.press('Enter');
  };
  await touch('1,0');
  await page.waitForFunction(() => document.querySelector('.task')?.getAttribute('data-count') === '1');
  await touch('1,0');
  await touch('2,0');
  const answer = page.locator('.answer.wrong');
  await answer.waitFor();
  expect(await answer.innerText()).toMatch(/Not yet[\s\S]+red stacks/);
  expect(await page.locator('[role=log]').innerText()).toContain('Not yet');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await answer.waitFor({ state: 'detached' });
  expect(await board.locator('.cell.touchable').count()).toBeGreaterThan(0);
  // A hint points out the next action of the solution.
  await page.getByRole('button', { name: 'Show me' }).click();
  await board.locator('.suggestions .rank').waitFor();
  expect(errors).toEqual([]);
});

test('after the first lesson one click starts a game against level 1', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK });
  const count = (await lessonsOf(app.url, SHORT))[0]?.steps.length ?? 0;
  await page.evaluate(
    (left) => localStorage.setItem('tavola.lessons', JSON.stringify({ 'potlatch/first': left })),
    count - 1,
  );
  await openLesson(page, app.url, SHORT, 'first');
  await solve(page, app.url, SHORT, 'first', count - 1);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Play against the computer (level 1)' }).click();
  await waitForTurn(page);
  expect(await page.locator('.seats').innerText()).toContain('Computer level 1');
});

test('the first lesson is on screen within a second of the click', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: '/learn' });
  const first = page.locator(`section[data-game=${SHORT}] a`).first();
  await first.waitFor();
  const began = performance.now();
  await first.click();
  await page.waitForSelector('.board .cell.touchable');
  expect(performance.now() - began).toBeLessThan(1000);
});

test('a lesson that does not exist leads to the list', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: `/learn/${SHORT}/none` });
  await page.getByRole('alert').waitFor();
  await page.getByRole('link', { name: 'All lessons' }).click();
  await page.waitForSelector('section[data-game]');
});

test.each(GAMES)('the lessons of %s are played to their end', { tags: 'long' }, async (game) => {
  const { page, errors } = await app.openPage({ at: BLANK, colorScheme: 'dark' });
  // A short test plays the first lesson of one game.
  const lessons = (await lessonsOf(app.url, game)).slice(game === SHORT ? 1 : 0);
  for (const { id } of lessons) await playLesson(page, game, id);
  expect(lessons.length).toBeGreaterThan(1);
  expect(errors).toEqual([]);
});

test.each([
  [360, 740],
  [320, 568],
] as const)('lessons fit a phone of %i by %i', { tags: 'long' }, async (width, height) => {
  for (const [number, game] of GAMES.entries()) {
    // Each game in both languages, over the two sizes.
    const locale = (number + Number(width === 320)) % 2 === 0 ? 'en' : 'ja';
    const { page } = await app.openPage({
      at: BLANK,
      locale,
      ...phone(width, height),
    });
    const [first] = await lessonsOf(app.url, game);
    await openLesson(page, app.url, game, first?.id ?? '');
    const [board, task] = [page.locator('.board'), page.locator('.task')];
    const [above, below] = [await board.boundingBox(), await task.boundingBox()];
    const what = `${game} ${locale} ${width}`;
    expect(above?.height, what).toBeGreaterThan(120);
    expect((below?.y ?? 0) + (below?.height ?? height), what).toBeLessThanOrEqual(height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBeLessThanOrEqual(width);
    expect(await accessibilityViolations(page), what).toEqual([]);
    await page.context().close();
  }
});
