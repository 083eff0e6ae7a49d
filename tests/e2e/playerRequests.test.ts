/** Requests, clocks and rematch in two browsers. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type TwoPlayerMatch, startTwoPlayerMatch } from './twoPlayers';
import { boxOf, startApp, screenshot } from './app';
import { chooseEntry, menuEntry, openMenu } from './menu';

const app = startApp();

const two = (more?: object, how?: { far?: boolean; away?: boolean }) => startTwoPlayerMatch(app, more, how);

const entries = (page: Page, count: number) =>
  page.waitForFunction((count) => document.querySelectorAll('.moves .entry').length === count, count);

const OPENING = [
  [0, 'Pnw'],
  [0, 'Pw'],
  [1, 'Pne'],
  [1, 'Pnw'],
] as const;

async function playOpening({ command }: TwoPlayerMatch): Promise<void> {
  for (const [seat, token] of OPENING) await command(seat, { do: 'play', token });
}

/** The request is visible in the prompt, and announced. */
async function told(page: Page, what: string): Promise<void> {
  await page.locator('.prompt .news', { hasText: what }).waitFor();
  await page.locator('[role=log] p', { hasText: what }).waitFor({ state: 'attached' });
}

/** Sends a request that the menu no longer offers, like a page that is out of date. */
async function chooseLate(page: Page, name: string): Promise<void> {
  await openMenu(page);
  const entry = await menuEntry(page, name);
  expect(await entry.isDisabled()).toBe(true);
  await entry.evaluate((button) => button.removeAttribute('disabled'));
  await entry.click();
}

test('an answered turn is taken back if the opponent agrees', { tags: 'long' }, async () => {
  const pair = await two({}, { far: true });
  const { red, blue, errors } = pair;
  await playOpening(pair);
  await entries(red, 4);
  expect(await red.locator('.prompt .undo').isDisabled()).toBe(true);
  await chooseEntry(red, 'Request takeback');
  await red.locator('.request').getByText('Takeback requested.').waitFor();
  const asked = blue.locator('.request');
  await asked.getByText('申し込み').waitFor();
  await expect.poll(() => blue.locator('[role=log]').textContent()).toContain('待った');
  await screenshot(red, 'asked-desktop');
  await screenshot(blue, 'asked-phone');
  // After it was declined, it is disabled until the next action, on this page too.
  await asked.getByRole('button', { name: '断る' }).click();
  await asked.waitFor({ state: 'detached' });
  await told(red, 'Blue declined.');
  await chooseLate(red, 'Request takeback');
  await red.locator('.prompt .problem').getByText('declined').waitFor();
  await pair.command(0, { do: 'play', token: 'Psw' });
  await entries(red, 5);
  await red.locator('.prompt .undo').click();
  await entries(red, 4);
  // A withdrawn request was not declined.
  await chooseEntry(red, 'Offer a draw');
  await red.locator('.request').getByRole('button', { name: 'Withdraw' }).click();
  await red.locator('.request').waitFor({ state: 'detached' });
  await told(red, 'Red withdrew the request.');
  await told(blue, '赤が申し込みを取り下げました。');
  await screenshot(blue, 'withdrawn-phone');
  await red.locator('.prompt').getByRole('button', { name: 'Request takeback' }).click();
  await asked.getByRole('button', { name: '受ける' }).click();
  await entries(red, 0);
  await red.locator('.cell.touchable').first().waitFor();
  expect(errors).toEqual([[], []]);
});

test(
  'the menu disables requests while one is pending, and those that were declined',
  { tags: 'long' },
  async () => {
    const pair = await two();
    const { red, blue, errors } = pair;
    await playOpening(pair);
    await chooseEntry(red, 'Offer a draw');
    await blue.locator('.request').waitFor();
    await openMenu(blue);
    const draw = await menuEntry(blue, 'Offer a draw');
    expect(await draw.isDisabled()).toBe(true);
    const why = await draw.getAttribute('aria-describedby');
    expect(await blue.locator(`[id="${why}"]`).textContent()).toMatch(/pending request is answered/);
    // Possible again once no request is pending.
    await red.locator('.request').getByRole('button', { name: 'Withdraw' }).click();
    await expect.poll(() => draw.isDisabled()).toBe(false);
    // Red's request was declined, so Red cannot ask again.
    await openMenu(red);
    const again = await menuEntry(red, 'Offer a draw');
    expect(await again.isDisabled()).toBe(true);
    const before = await again.getAttribute('aria-describedby');
    expect(await red.locator(`[id="${before}"]`).textContent()).toMatch(/declined or withdrawn/i);
    await screenshot(red, 'asked-before-desktop');
    expect(errors).toEqual([[], []]);
  },
);

test('a request withdrawn on another device does not count as declined', { tags: 'long' }, async () => {
  const pair = await two();
  const { red, blue, errors } = pair;
  await playOpening(pair);
  await chooseEntry(red, 'Offer a draw');
  await blue.locator('.request').waitFor();
  await pair.command(0, { do: 'decline' });
  for (const page of [red, blue]) {
    await page.locator('.request').waitFor({ state: 'detached' });
    await told(page, 'Red withdrew the request.');
    await page.reload();
    await page.locator('.prompt .news', { hasText: 'Red withdrew the request.' }).waitFor();
  }
  await pair.command(0, { do: 'play', token: 'Psw' });
  await blue.locator('.prompt .news', { hasText: 'withdrew' }).waitFor({ state: 'detached' });
  expect(errors).toEqual([[], []]);
});

test('after a reconnect the page reports once what happened', { tags: 'long' }, async () => {
  const pair = await two();
  const { red, blue } = pair;
  let cut = (): void => undefined;
  let away = false;
  await blue.routeWebSocket(/\/socket$/, (socket) => {
    if (away) void socket.close();
    else {
      socket.connectToServer();
      cut = () => void socket.close();
    }
  });
  await blue.reload();
  await blue.waitForSelector('.board .cell');
  away = true;
  cut();
  await blue.getByRole('alert').filter({ hasText: 'No connection' }).waitFor();
  for (const token of ['Pnw', 'Pw']) await pair.command(0, { do: 'play', token });
  await chooseEntry(red, 'Offer a draw');
  away = false;
  await blue.locator('.request').waitFor();
  await expect
    .poll(() => blue.locator('[role=log] p').allTextContents())
    .toEqual([
      'Base tile placed on hex 0,-1',
      'Red moves the pawn to hex 0,-1',
      'Base tile placed on hex -1,-1',
      'Red moves the pawn to hex -1,-1',
      'Red leaves 2 chips',
      'Red wants to agree to a draw.',
    ]);
});

test('a late answer does not bring back an old position', { tags: 'long' }, async () => {
  const pair = await two();
  const { blue, errors } = pair;
  await playOpening(pair);
  await chooseEntry(blue, 'Offer a draw');
  await blue.locator('.request').getByRole('button', { name: 'Withdraw' }).click();
  await blue.locator('.prompt').getByText('withdrew the request').waitFor();
  await blue.route(`**/api/matches/${pair.match}`, async (route) => {
    const old = await route.fetch();
    await pair.command(0, { do: 'play', token: 'Psw' });
    await entries(blue, 5);
    await route.fulfill({ response: old });
  });
  const answered = blue.waitForEvent('requestfinished', (asked) => asked.url().endsWith(pair.match));
  await chooseLate(blue, 'Offer a draw');
  await answered;
  await blue.waitForTimeout(200);
  await entries(blue, 5);
  expect(errors).toEqual([[], []]);
});

test('a clock for the match runs down and decides it', { tags: 'long' }, async () => {
  const pair = await two({ time: { kind: 'main', seconds: 12, increment: 0 } }, { far: true });
  const { red, blue, errors } = pair;
  await playOpening(pair);
  const timers = red.getByRole('timer');
  await red.waitForFunction(() => document.querySelectorAll('[role=timer]').length === 2);
  expect((await timers.nth(1).textContent())?.trim()).toBe('0:12');
  await red.locator('.seat.acting .countdown.low').waitFor();
  await expect.poll(() => red.title()).toContain('Your turn');
  expect(await blue.title()).not.toContain('あなたの手番');
  // Its frame keeps clear of the words above it.
  const frame = await blue.locator('.countdown.low').evaluate((clock) => {
    const { outlineWidth, outlineOffset } = getComputedStyle(clock);
    return parseFloat(outlineWidth) + parseFloat(outlineOffset);
  });
  expect(frame).toBeLessThanOrEqual(0);
  await screenshot(red, 'low-desktop');
  await screenshot(blue, 'low-phone');
  await expect.poll(() => red.locator('[role=log]').textContent()).toContain('10 seconds left');
  expect(await blue.locator('[role=log]').textContent()).not.toContain('残り10秒');
  await red.locator('.prompt.over').getByText('ran out of time').waitFor();
  await blue.locator('.prompt.over').getByText('時間切れ').waitFor();
  await expect.poll(async () => (await timers.first().textContent())?.trim()).toBe('0:00');
  expect(errors).toEqual([[], []]);
});

test('victory over a player who left is claimed after a confirmation', async () => {
  const pair = await two({}, { away: true });
  const { red, errors } = pair;
  await playOpening(pair);
  for (const token of ['Psw', 'Pw']) await pair.command(0, { do: 'play', token });
  await entries(red, 6);
  const asked = red.getByRole('dialog', { name: 'Claim victory' });
  await chooseEntry(red, 'Claim victory: Blue has left');
  await asked.getByText('Blue has left.').waitFor();
  await screenshot(red, 'claim');
  await asked.getByRole('button', { name: 'Keep playing' }).click();
  await asked.waitFor({ state: 'detached' });
  expect(await red.locator('.prompt.over').count()).toBe(0);
  await chooseEntry(red, 'Claim victory: Blue has left');
  await asked.getByRole('button', { name: 'Claim victory' }).click();
  await red.locator('.prompt.over').waitFor();
  expect(errors).toEqual([[], []]);
});

test('a pause stops the clocks until a player resumes', async () => {
  const pair = await two({ time: { kind: 'main', seconds: 300, increment: 5 } });
  const { red, blue } = pair;
  await playOpening(pair);
  await entries(blue, 4);
  await chooseEntry(blue, 'Pause');
  await red.locator('.request').getByRole('button', { name: 'Accept' }).click();
  for (const page of [red, blue]) await page.locator('.request').getByText('paused').waitFor();
  expect(await red.locator('.cell.touchable').count()).toBe(0);
  expect(await red.getByRole('heading', { level: 2 }).first().textContent()).toBe('Paused');
  expect(await red.title()).not.toContain('Your turn');
  await screenshot(red, 'paused-desktop');
  await red.locator('.request').getByRole('button', { name: 'Resume' }).click();
  await red.locator('.cell.touchable').first().waitFor();
});

test('a rematch swaps the sides and keeps the tokens', async () => {
  const pair = await two();
  const { red, blue, match, errors } = pair;
  await playOpening(pair);
  await pair.command(1, { do: 'resign' });
  await red.locator('.prompt.over').getByRole('button', { name: 'Rematch' }).click();
  await blue.locator('.request').getByText('play a rematch').waitFor();
  await screenshot(blue, 'rematch-desktop');
  await blue.locator('.request').getByRole('button', { name: 'Accept' }).click();
  for (const page of [red, blue]) {
    await page.waitForFunction((old) => !location.pathname.endsWith(old), match);
    await page.waitForSelector('.board .cell');
  }
  // Blue begins now, also after a reload.
  await blue.locator('.cell.touchable').first().waitFor();
  await blue.reload();
  await blue.locator('.cell.touchable').first().waitFor();
  await expect.poll(() => red.locator('.prompt h2').textContent()).toContain('Waiting');
  expect(errors).toEqual([[], []]);
});

test('an aborted match has no colour', { tags: 'long' }, async () => {
  const pair = await two();
  await pair.command(0, { do: 'ask', token: 'abort' });
  const result = pair.red.locator('.prompt.over', { hasText: 'Aborted' });
  await result.waitFor();
  expect(await result.evaluate((prompt: HTMLElement) => prompt.style.getPropertyValue('--seat'))).toBe(
    'var(--t-strong)',
  );
});

test('a match never opened here is listed with its players and turn', { tags: 'long' }, async () => {
  const pair = await two({}, { away: true });
  const { blue, command } = pair;
  await blue.goto(`${app.url}/matches`);
  const entry = blue.getByRole('listitem').filter({ hasText: 'vs Ada' });
  await entry.getByText('Waiting for Ada').waitFor();
  for (const token of ['Pnw', 'Pw']) await command(0, { do: 'play', token });
  await blue.reload();
  await blue.getByRole('heading', { name: 'Your turn' }).waitFor();
  await entry.getByText('Your turn').waitFor();
});

test('on the smallest phone a request leaves room for the board', { tags: 'long' }, async () => {
  const pair = await two({ game: 'proteus' }, { far: true });
  await pair.blue.setViewportSize({ width: 320, height: 568 });
  await chooseEntry(pair.red, 'Offer a draw');
  await pair.blue.locator('.request').waitFor();
  const board = await pair.blue.locator('.board').boundingBox();
  expect(board?.height).toBeGreaterThan(150);
});

test('connection states are shown', { tags: 'long' }, async () => {
  const pair = await two();
  const { red, blue } = pair;
  await red.locator('.presence.online').waitFor();
  const { page: spectator } = await app.openPage({ at: `/match/${pair.match}` });
  const watching = red.getByTitle('1 watching');
  await watching.waitFor();
  // On landscape phones, too, beside the supply.
  for (const width of [844, 740]) {
    await red.setViewportSize({ width, height: 360 });
    const [count, supply] = [await boxOf(watching), await boxOf(red.locator('.supply > *').first())];
    expect(count.x + count.width, String(width)).toBeLessThanOrEqual(supply.x);
  }
  await red.setViewportSize({ width: 1280, height: 800 });
  await spectator.context().close();
  await blue.context().close();
  const offline = red.locator('.presence.reconnecting');
  await offline.waitFor();
  // The word is whole, beside the player's name.
  for (const width of [1280, 1024, 360]) {
    await red.setViewportSize({ width, height: 760 });
    const [whole, word] = [await boxOf(offline), await boxOf(offline.getByText('offline'))];
    expect(word.y + word.height, String(width)).toBeLessThanOrEqual(whole.y + whole.height + 1);
    expect(word.x + word.width, String(width)).toBeLessThanOrEqual(whole.x + whole.width + 1);
    const seat = red.locator('.seat').nth(1);
    const [player, plate] = [await boxOf(seat.getByText('Bo')), await boxOf(seat)];
    expect(player.x + player.width, String(width)).toBeLessThanOrEqual(word.x);
    expect(word.x + word.width, String(width)).toBeLessThanOrEqual(plate.x + plate.width);
  }
  await screenshot(red, 'reconnecting-phone');
});

test('in narrow panels the word of a lost connection covers nothing', { tags: 'long' }, async () => {
  const seats = ['Ada', 'Bo', 'Cy'].map((name) => ({ kind: 'person', name }));
  const time = { kind: 'main', seconds: 300, increment: 0 };
  const { red } = await two({ game: 'passtally', options: { players: 3 }, seats, time });
  const word = red.locator('.seat').nth(2).locator('.presence .word');
  const [counters, clock] = ['.counters', '.countdown'].map((part) =>
    red.locator('.seat').nth(2).locator(part),
  );
  for (const [width, height] of [
    [844, 390],
    [740, 360],
    [390, 844],
  ] as const) {
    await red.setViewportSize({ width, height });
    await word.waitFor();
    const [text, figures, time] = await Promise.all(
      [word, counters, clock].map((one) => boxOf(one as typeof word)),
    );
    expect((text?.x ?? 0) + (text?.width ?? 0), String(width)).toBeLessThanOrEqual((figures?.x ?? 0) + 1);
    expect((text?.y ?? 0) + (text?.height ?? 0), String(width)).toBeLessThanOrEqual((time?.y ?? 0) + 4);
  }
});

test('a player who returns takes the seat over from the computer', { tags: 'long' }, async () => {
  const pair = await two({}, { far: true, away: true });
  const { red, blue, errors } = pair;
  await playOpening(pair);
  await entries(red, 4);
  await red.locator('.presence.away').waitFor();
  await chooseEntry(red, 'Replace Blue with the computer');
  await red.locator('.seat', { hasText: 'Computer' }).waitFor();
  await blue.goto(`${app.url}/match/${pair.match}`);
  const offered = blue.locator('.request');
  await offered.getByText('コンピュータ').waitFor();
  await screenshot(blue, 'replaced-phone');
  await offered.getByRole('button', { name: '席に戻る' }).click();
  await offered.waitFor({ state: 'detached' });
  await red.locator('.seat', { hasText: 'Bo' }).waitFor();
  await pair.command(0, { do: 'play', token: 'Psw' });
  await entries(blue, 5);
  expect(errors).toEqual([[], []]);
});
