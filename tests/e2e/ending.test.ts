/** The end of a game: what won is marked, and one next step, the win chances and the turning point follow. */
import { expect, test } from 'vitest';
import { accessibilityViolations, BLANK, boxOf, startApp } from './app';
import { openMatchWhen } from './play';
import { commands, startTwoPlayerMatch } from './twoPlayers';

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
  { width: 844, height: 390 },
  { width: 1280, height: 800 },
];

test.each(SIZES)(
  'what won is marked, with the story of the game ($width px)',
  { tags: 'long' },
  async (viewport) => {
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
    // Everything from the result to the turning point is in sight.
    const room = await boxOf(page.locator('.ask'));
    const told = await boxOf(story);
    expect(told.y + told.height).toBeLessThanOrEqual(room.y + room.height + 1);
    const turning = story.getByRole('button').first();
    const board = await page.locator('.board').boundingBox();
    expect(board?.height).toBeGreaterThan(150);
    await turning.click();
    await page.locator('section.review').waitFor();
    expect(errors).toEqual([]);
  },
);

test(
  'three players are ranked, the winner first, and what to do next is in sight',
  { tags: 'long' },
  async () => {
    const { page } = await app.openPage({ at: BLANK });
    await openMatchWhen(page, app.url, 'passtally', playedOut(), false, 3);
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
      [844, 390],
      [740, 360],
    ] as const) {
      await page.setViewportSize({ width, height });
      const buttons = await page.locator('.prompt .actions .button').all();
      const [first, ...others] = await Promise.all(buttons.map(boxOf));
      expect(others.length).toBe(2);
      for (const { y } of others) expect(y, `${width}`).toBe(first?.y);
      expect((first?.y ?? height) + (first?.height ?? 0), `${width}`).toBeLessThanOrEqual(height);
    }
    const ranks = page.getByRole('list', { name: 'Result' }).getByRole('listitem');
    expect(await ranks.count()).toBe(3);
    const [first = '', ...others] = await ranks.locator('.value').allTextContents();
    expect(others.every((other) => parseInt(other) <= parseInt(first))).toBe(true);
  },
);

test('a rematch shows the score of the series, in both languages', { tags: 'long' }, async () => {
  const { red, blue, command, tokens, errors } = await startTwoPlayerMatch(app, {}, { far: true });
  const playAndResign = async (send: typeof command) => {
    for (const [seat, token] of [
      [0, 'Pnw'],
      [0, 'Pw'],
      [1, 'Pne'],
      [1, 'Pnw'],
    ] as const)
      await send(seat, { do: 'play', token });
    await send(1, { do: 'resign' });
  };
  await playAndResign(command);
  await command(0, { do: 'ask', token: 'rematch' });
  await red.getByRole('heading', { level: 1, name: /Score 0 : 1/ }).waitFor();
  await blue.getByRole('heading', { level: 1, name: /通算 0 : 1/ }).waitFor();
  const match = new URL(red.url()).pathname.split('/').pop() ?? '';
  await playAndResign(commands(app.url, match, tokens.toReversed()));
  await red.getByText('After 2 games: Bo 1 : 1 You').waitFor();
  await blue.getByText('通算2局：あなた 1 : 1 Ada').waitFor();
  expect(await accessibilityViolations(red)).toEqual([]);
  expect(errors.flat()).toEqual([]);
});
