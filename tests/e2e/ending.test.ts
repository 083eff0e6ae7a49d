/** The end of a game: what won is marked, and one next step, the win chances and the turning point follow. */
import { expect, test } from 'vitest';
import { accessibilityViolations, startApp, BLANK } from './app';
import { openMatchWhen } from './play';

const app = startApp();

/** Plays over HTTP to the end, by a rule that gives the same game each time. */
const playedOut =
  (count = 0) =>
  (now: { status: string; view: { actions: { token: string }[] } }) => {
    const { actions } = now.view;
    count += 1;
    return now.status === 'over' ? null : (actions[(count * 7919) % actions.length]?.token ?? null);
  };

const SIZES = [
  { width: 360, height: 640 },
  { width: 1280, height: 800 },
];

test.each(SIZES)('what won is marked, with the story of the game ($width px)', async (viewport) => {
  const { page, errors } = await app.openPage({ at: BLANK, viewport });
  await openMatchWhen(page, app.url, 'proteus', playedOut());
  await page.locator('.prompt.over').waitFor();
  expect(await page.locator('.won .ring').count()).toBe(3);
  // Nothing moves: the game had ended before, and motion is reduced.
  expect(await page.locator('.won .wave').count()).toBe(0);
  const story = page.getByRole('region', { name: 'Win chances' });
  await story.locator('.graph').waitFor({ timeout: 30_000 });
  await page.waitForFunction(
    () => document.querySelector('.story')?.getAttribute('aria-busy') === 'false',
    null,
    {
      timeout: 30_000,
    },
  );
  expect(await accessibilityViolations(page)).toEqual([]);
  const turning = story.getByRole('button').first();
  const board = await page.locator('.board').boundingBox();
  expect(board?.height).toBeGreaterThan(150);
  await turning.click();
  await page.locator('section.review').waitFor();
  expect(errors).toEqual([]);
});

test('three players are ranked, the winner first', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK });
  await openMatchWhen(page, app.url, 'passtally', playedOut(), false, 3);
  const ranks = page.getByRole('list', { name: 'Result' }).getByRole('listitem');
  expect(await ranks.count()).toBe(3);
  const [first = '', ...others] = await ranks.locator('.value').allTextContents();
  expect(others.every((other) => parseInt(other) <= parseInt(first))).toBe(true);
});
