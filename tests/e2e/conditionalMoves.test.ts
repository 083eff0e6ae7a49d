/** Conditional moves in two browsers. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type TwoPlayerMatch, startTwoPlayerMatch } from './twoPlayers';
import { startApp, screenshot } from './app';
import { chooseEntry } from './menu';
import { playRandomAction, seededRandom } from './play';

const app = startApp();

const DAYS = { confirm: true, time: { kind: 'days', days: 3 } };

const entries = (page: Page) => page.locator('.moves .entry').count();

/** Plays a turn of each seat until the reply can be saved; returns the line as text. */
async function tryOut(page: Page, save: string, roll = seededRandom(3)): Promise<string> {
  const ready = page.locator('.prompt .strong:enabled', { hasText: save });
  while (!(await ready.isVisible())) await playRandomAction(page, roll);
  return (await page.locator('.plan .now').textContent()) ?? '';
}

/** The saved lines as tokens, from the server. */
async function lines({ match, tokens }: TwoPlayerMatch, seat: number): Promise<string[][]> {
  const response = await fetch(`${app.url}/api/matches/${match}/conditional-moves?seat=${seat}`, {
    headers: { authorization: `Bearer ${tokens[seat]}` },
  });
  return ((await response.json()) as { lines: string[][] }).lines;
}

/** Red's possible actions. */
async function view({ match, tokens }: TwoPlayerMatch): Promise<{ actions: { token: string }[] }> {
  const response = await fetch(`${app.url}/api/matches/${match}`, {
    headers: { authorization: `Bearer ${tokens[0]}` },
  });
  return ((await response.json()) as { view: { actions: { token: string }[] } }).view;
}

test('a conditional move is played at once', { tags: 'long' }, async () => {
  const pair = await startTwoPlayerMatch(app, DAYS);
  const { red, blue, errors } = pair;
  // Red is to act: Blue prepares a reply.
  expect(await red.getByRole('button', { name: 'Conditional moves' }).count()).toBe(0);
  await blue.getByRole('button', { name: 'Conditional moves' }).click();
  await blue.locator('.plan .why').waitFor();
  expect(await blue.title()).not.toContain('Your turn');
  await screenshot(blue, 'plan-empty');
  // Blue has the match open on another device.
  const elsewhere = await blue.context().newPage();
  await elsewhere.goto(blue.url());
  await elsewhere.getByRole('button', { name: 'Conditional moves' }).waitFor();
  const tried = await tryOut(blue, 'Save reply');
  expect(tried).toContain('→');
  await screenshot(blue, 'plan-complete');
  await blue.keyboard.press('c');
  const saved = blue.locator('.plan li');
  await saved.waitFor();
  expect((await saved.locator('[aria-hidden]').first().textContent())?.trim()).toBe(tried.trim());
  await screenshot(blue, 'plan-saved');
  // The board marks the turn under the pointer.
  await saved.locator('.turn').last().hover();
  await blue.locator('.board .pointed').waitFor();
  await blue.mouse.move(1, 1);
  await blue.locator('.board .pointed').waitFor({ state: 'detached' });
  await elsewhere.getByRole('button', { name: 'Conditional moves' }).click();
  await elsewhere
    .locator('.plan li')
    .getByText(tried.trim().split(' ')[0] ?? '')
    .first()
    .waitFor();
  await elsewhere.close();
  // Nothing was played, and Red sees nothing.
  expect(await entries(red)).toBe(0);
  const [line = []] = await lines(pair, 1);
  // After a reload the same text is there.
  await blue.reload();
  await blue.getByRole('button', { name: /Conditional moves/ }).click();
  await blue.waitForFunction(
    (tried) => document.querySelector('.plan li [aria-hidden]')?.textContent?.trim() === tried.trim(),
    tried,
  );
  await blue.getByRole('button', { name: 'Close conditional moves' }).click();
  const foreseen = line.slice(0, 2);
  for (const token of foreseen) await pair.command(0, { do: 'play', token });
  await pair.command(0, { do: 'confirm' });
  await red.locator('.cell.touchable').first().waitFor();
  await blue.getByText('Your planned reply was played').waitFor();
  await expect.poll(() => entries(red)).toBe(line.length);
  await screenshot(blue, 'plan-played');
  expect(errors).toEqual([[], []]);
});

test(
  'without days per turn a setting offers them, and the board stands still',
  { tags: 'long' },
  async () => {
    const pair = await startTwoPlayerMatch(app, { confirm: false }, { far: true });
    const { blue, errors } = pair;
    const button = blue.getByRole('button', { name: '予約手' });
    expect(await button.count()).toBe(0);
    await chooseEntry(blue, '設定');
    await blue.getByRole('group', { name: '応手を予約' }).getByText('オン').click();
    await blue.keyboard.press('Escape');
    await button.waitFor();
    const place = () =>
      blue.locator('.board').evaluate((board) => {
        const { x, y, width, height } = board.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
      });
    const before = await place();
    await button.click();
    await tryOut(blue, '応手を保存');
    await blue.keyboard.press('c');
    await blue.locator('.plan li').waitFor();
    await blue.getByRole('button', { name: '予約手を閉じる' }).click();
    await screenshot(blue, 'premove-saved');
    const [line = []] = await lines(pair, 1);
    // Red plays what was planned for, then something else, so that it is Blue's turn.
    for (const token of line.slice(0, 2)) await pair.command(0, { do: 'play', token });
    await expect.poll(() => entries(blue)).toBe(line.length);
    for (let action = 0; action < 2; action++)
      await pair.command(0, { do: 'play', token: (await view(pair)).actions[0]?.token });
    await blue.locator('.cell.touchable').first().waitFor();
    await screenshot(blue, 'premove-own-turn');
    expect(await place()).toEqual(before);
    expect(errors).toEqual([[], []]);
  },
);

test('another move cancels the conditional moves, and the page says so', async () => {
  const pair = await startTwoPlayerMatch(app, DAYS);
  const { red, blue, errors } = pair;
  await blue.getByRole('button', { name: 'Conditional moves' }).click();
  await tryOut(blue, 'Save reply');
  await blue.getByRole('button', { name: 'Save reply' }).click();
  await blue.locator('.plan li').waitFor();
  const [line = []] = await lines(pair, 1);
  // Blue edits while Red plays something else.
  await playRandomAction(blue, seededRandom(1));
  await red.locator('.cell.touchable').first().waitFor();
  const other = (await view(pair)).actions.find(({ token }) => !line.slice(0, 2).includes(token))?.token;
  await pair.command(0, { do: 'play', token: other });
  await blue.locator('.plan').waitFor({ state: 'detached' });
  await blue.waitForFunction(() => document.querySelectorAll('.moves .entry').length === 1);
  await expect.poll(() => blue.locator('[role=log]').textContent()).toContain('The game has moved on');
  // It is also visible until the next event.
  const overtaken = blue.locator('.note', { hasText: 'The game has moved on' });
  await overtaken.waitFor();
  await screenshot(blue, 'plan-overtaken');
  await pair.command(0, { do: 'play', token: (await view(pair)).actions[0]?.token });
  await pair.command(0, { do: 'confirm' });
  await blue.locator('.cell.touchable').first().waitFor();
  await blue.locator('.note', { hasText: 'Your planned moves were cancelled' }).waitFor();
  await overtaken.waitFor({ state: 'detached' });
  await expect.poll(() => entries(red)).toBe(2);
  await screenshot(blue, 'plan-lapsed');
  expect(errors).toEqual([[], []]);
});

test('conditional moves from two devices are all kept', { tags: 'long' }, async () => {
  const pair = await startTwoPlayerMatch(app, DAYS);
  const { blue, errors } = pair;
  const elsewhere = await blue.context().newPage();
  await elsewhere.goto(blue.url());
  for (const page of [blue, elsewhere]) {
    await page.getByRole('button', { name: 'Conditional moves' }).click();
    await page.locator('.plan .why').waitFor();
  }
  const cells = elsewhere.locator('.cell.touchable');
  const first = await tryOut(blue, 'Save reply');
  // There, Red begins with the cell after the one used here.
  const count = await cells.count();
  await cells.nth((seededRandom(3)(count) + 1) % count).click({ force: true });
  const second = await tryOut(elsewhere, 'Save reply');
  expect(second.trim().split(' · ')[0]).not.toBe(first.trim().split(' · ')[0]);
  await blue.keyboard.press('c');
  await blue.locator('.plan li').waitFor();
  await elsewhere.keyboard.press('c');
  await expect.poll(() => elsewhere.locator('.plan li').count()).toBe(2);
  expect(await lines(pair, 1)).toHaveLength(2);
  await expect.poll(() => elsewhere.locator('.plan li').first().textContent()).toContain(first.trim());
  // Deleting a line on one device removes only that line.
  await blue.locator('.plan li button').click();
  await expect.poll(() => blue.locator('.plan li').count()).toBe(1);
  await expect.poll(() => blue.locator('.plan li').textContent()).toContain(second.trim());
  expect(await lines(pair, 1)).toHaveLength(1);
  expect(errors).toEqual([[], []]);
});

test('an illegal selection is explained for the position of the variation', { tags: 'long' }, async () => {
  const pair = await startTwoPlayerMatch(app, DAYS);
  const { blue, errors } = pair;
  // However slow the position arrives, nothing looks ready before.
  await blue.route('**/then*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await blue.getByRole('button', { name: 'Conditional moves' }).click();
  await blue.locator('.plan .why').waitFor();
  const why = async () => {
    await blue.locator('.board .cell[data-cell="1,0"]').click({ force: true });
    return blue.locator('.rejection p').textContent();
  };
  // Blue's pawn is there while Red is to walk; on Blue's turn there is no chip.
  expect(await why()).toContain('Occupied');
  for (const touched of ['0,-1', '-1,-1'])
    await blue.locator(`.cell.touchable[data-cell="${touched}"]`).click({ force: true });
  await blue.locator('.prompt').getByRole('heading', { name: '… then you' }).waitFor();
  expect(await why()).toContain('no chip');
  expect(errors).toEqual([[], []]);
});

test(
  'by keyboard alone, on a phone and in Japanese: edit, undo, save, delete',
  { tags: 'long' },
  async () => {
    const pair = await startTwoPlayerMatch(app, DAYS, { far: true });
    const { blue, errors } = pair;
    await blue.getByRole('button', { name: '予約手' }).focus();
    await blue.keyboard.press('Enter');
    await blue.locator('.plan h2:focus').waitFor();
    await screenshot(blue, 'plan-phone-empty');
    await tryOut(blue, '応手を保存');
    await screenshot(blue, 'plan-phone-complete');
    await blue.keyboard.press('u');
    await blue.waitForFunction(() => document.querySelector('.prompt .strong:enabled') === null);
    await tryOut(blue, '応手を保存');
    await blue.keyboard.press('c');
    await blue.locator('.plan li').waitFor();
    await screenshot(blue, 'plan-phone-saved');
    await blue.emulateMedia({ colorScheme: 'dark' });
    await screenshot(blue, 'plan-phone-dark');
    // Another reply to the same move is saved instead.
    const before = await lines(pair, 1);
    const roll = seededRandom(3);
    await playRandomAction(blue, roll);
    await playRandomAction(blue, roll);
    const other = seededRandom(8);
    while (!(await blue.locator('.prompt .strong:enabled').isVisible())) await playRandomAction(blue, other);
    await blue.locator('.prompt .strong').click();
    await blue.waitForFunction(() => document.querySelector('.plan .now') === null);
    const after = await lines(pair, 1);
    expect(after).toHaveLength(before[0]?.slice(0, 2).join() === after[0]?.slice(0, 2).join() ? 1 : 2);
    for (const _ of after) {
      await blue.locator('.plan li button').first().focus();
      await blue.keyboard.press('Enter');
      await blue.waitForFunction(
        (count) => document.querySelectorAll('.plan li').length < count,
        after.length,
      );
      after.length = await blue.locator('.plan li').count();
    }
    expect(await lines(pair, 1)).toEqual([]);
    expect(errors).toEqual([[], []]);
  },
);

test('a page that reconnects shows that the match moved on during editing', { tags: 'long' }, async () => {
  const pair = await startTwoPlayerMatch(app, DAYS, { far: true });
  const { blue } = pair;
  await blue.getByRole('button', { name: '予約手' }).click();
  // Red's actions can be tried out.
  await blue.locator('.cell.touchable').first().waitFor();
  const reached = blue.context();
  await reached.setOffline(true);
  await app.server.kill();
  await app.server.start();
  const { actions } = await view(pair);
  await pair.command(0, { do: 'play', token: actions[0]?.token });
  await reached.setOffline(false);
  await blue.locator('.note', { hasText: '対局が進んだため' }).waitFor();
  await screenshot(blue, 'plan-overtaken-phone');
  await blue.getByRole('button', { name: '予約手' }).click();
  await blue.locator('.plan .why').waitFor();
  expect(await blue.locator('.note').count()).toBe(0);
});
