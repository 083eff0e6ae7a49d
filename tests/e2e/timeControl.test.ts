/** Time per turn: visible to all players, decided by the server. */
import { expect, test } from 'vitest';
import { startTwoPlayerMatch, PHONE } from './twoPlayers';
import { BLANK, screenshot, startApp } from './app';
import { createMatch, openSetup, startGame } from './play';

const app = startApp();

test('the time control is chosen before the start, and the clock of the seat to act runs', async () => {
  const { page, errors } = await app.openPage();
  await openSetup(page, 'potlatch');
  await page.locator('dialog').getByText('This device', { exact: true }).click();
  await page.locator('dialog .time select').selectOption({ label: '60 s per turn' });
  await page.locator('dialog button[type=submit]').click();
  const clock = page.getByRole('timer');
  await clock.waitFor();
  const first = (await clock.textContent())?.trim() ?? '';
  expect(first).toMatch(/^(1:00|0:5\d)$/);
  expect(await page.locator('.seat.acting').getByRole('timer').count()).toBe(1);
  await page.waitForFunction(
    (then) => document.querySelector('[role=timer]')?.textContent?.trim() !== then,
    first,
  );
  await screenshot(page, 'clock');
  // The opponent's clock starts again.
  for (let touch = 0; touch < 2; touch += 1) {
    await page.locator('.cell.touchable').first().click({ force: true });
    await page.waitForFunction(
      (count) => document.querySelectorAll('.moves .entry').length === count,
      touch + 1,
    );
  }
  await page.keyboard.press('c');
  await page.locator('.seat').nth(1).getByRole('timer').waitFor();
  await expect.poll(() => clock.count()).toBe(1);
  expect(errors).toEqual([]);
});

test("a clock of one's own has minutes and added seconds", async () => {
  const { page, errors } = await app.openPage();
  await openSetup(page, 'proteus');
  await page.locator('dialog .time select').selectOption({ label: 'Own clock…' });
  await page.getByLabel('Minutes per player').fill('7');
  await page.getByLabel('Seconds added per turn').fill('3');
  await page.locator('dialog button[type=submit]').click();
  await expect.poll(() => page.locator('.seat').first().textContent()).toMatch(/7:00|6:5\d/);
  expect(errors).toEqual([]);
});

test('players have different times', async () => {
  const { page, errors } = await app.openPage();
  await openSetup(page, 'proteus');
  await page.locator('dialog').getByText('This device', { exact: true }).click();
  await page.locator('dialog .time select').selectOption({ label: 'Own clock…' });
  await page.getByLabel('Different for each player').check();
  const minutes = page.getByLabel(': Minutes');
  await minutes.nth(0).fill('9');
  await minutes.nth(1).fill('3');
  await page.locator('dialog button[type=submit]').click();
  await expect.poll(() => page.locator('.seat').nth(0).textContent()).toMatch(/9:00|8:5\d/);
  expect(await page.locator('.seat').nth(1).textContent()).toMatch(/3:00|2:5\d/);
  expect(errors).toEqual([]);
});

test('when the time is up the server plays, and the page says so', async () => {
  const { page, errors } = await app.openPage();
  await page.route('**/api/matches', async (route) => {
    const wanted = route.request().postDataJSON() as object;
    await route.continue({ postData: JSON.stringify({ ...wanted, time: { kind: 'turn', seconds: 2 } }) });
  });
  await startGame(page, 'person');
  // Without any input the server plays every turn.
  await page.waitForFunction(() => document.querySelectorAll('.moves .late').length >= 2);
  await page.locator('.seat').nth(1).getByRole('timer').waitFor();
  for (const told of ['.prompt .news', '[role=log]'])
    await expect.poll(() => page.locator(told).textContent()).toMatch(/Time's up/);
  await page.locator('.prompt .strong:disabled').waitFor();
  expect(errors).toEqual([]);
});

test('three seats with clocks of every kind fit a phone', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK, ...PHONE, locale: 'ja' });
  const seats = ['Ada', 'Bo', 'Cy'].map((name) => ({ kind: 'person', name }));
  for (const time of [
    { kind: 'main', seconds: 21_600, increment: 5 },
    { kind: 'days', days: 3 },
  ]) {
    const { match } = await createMatch(app.url, {
      game: 'passtally',
      options: { players: '3' },
      seats,
      time,
    });
    await page.goto(`${app.url}/match/${match}`);
    await page.getByRole('timer').nth(2).waitFor();
    const outside = await page.locator('.seat').evaluateAll((plates) =>
      plates.flatMap((plate) => {
        const { right } = plate.getBoundingClientRect();
        return [...plate.querySelectorAll('.name, .counters')].filter(
          (part) => part.getBoundingClientRect().right > right,
        );
      }),
    );
    expect(outside).toHaveLength(0);
  }
});

test(
  'on a landscape phone clocks with days stay in their panel and leave room for the goals',
  { tags: 'long' },
  async () => {
    const { blue } = await startTwoPlayerMatch(app, { time: { kind: 'days', days: 3 } }, { far: true });
    await blue.setViewportSize({ width: 640, height: 360 });
    await blue.locator('.seat .countdown', { hasText: '3日0時間' }).nth(1).waitFor();
    const plates = await blue.locator('.seat').evaluateAll((seats) =>
      seats.map((seat) => {
        const clock = seat.querySelector('.countdown')?.getBoundingClientRect();
        return {
          room: seat.getBoundingClientRect().right - (clock?.right ?? Infinity),
          counted: [...seat.querySelectorAll('.of')].filter((of) => of.checkVisibility()).length,
        };
      }),
    );
    expect(plates.map(({ counted }) => counted)).toEqual([1, 1]);
    expect(Math.min(...plates.map(({ room }) => room))).toBeGreaterThan(4);
  },
);

test.each(['en', 'ja'])(
  'four clocks with days stay in their panels on a landscape phone (%s)',
  { tags: 'long' },
  async (locale) => {
    const { page } = await app.openPage({ at: BLANK, locale, viewport: { width: 667, height: 375 } });
    const body = {
      game: 'montana',
      options: { players: '4' },
      seats: ['Ada', 'Bo', 'Cy', 'Di'].map((name) => ({ kind: 'person', name })),
      time: { kind: 'days', days: 30 },
    };
    const { match } = await createMatch(app.url, body);
    await page.goto(`${app.url}/match/${match}`);
    await page.getByRole('timer').nth(3).waitFor();
    await screenshot(page, `clocks-four-${locale}`);
    const room = await page.locator('.seat').evaluateAll((plates) =>
      plates.map((plate) => {
        const clock = plate.querySelector('.countdown')?.getBoundingClientRect();
        return plate.getBoundingClientRect().right - (clock?.right ?? Infinity);
      }),
    );
    expect(room).toHaveLength(4);
    expect(Math.min(...room)).toBeGreaterThan(2);
  },
);

test('the lag is cut before the name', { tags: 'long' }, async () => {
  const { blue } = await startTwoPlayerMatch(app, {
    game: 'passtally',
    time: { kind: 'main', seconds: 600, increment: 5 },
  });
  await blue.setViewportSize({ width: 1000, height: 650 });
  const plate = blue.locator('.seat', { hasText: 'Violet' });
  await plate.locator('.presence small').waitFor();
  const cut = await plate.evaluate((seat) => {
    for (const lag of seat.querySelectorAll('.presence small')) lag.textContent = '12500 milliseconds';
    const name = seat.querySelector('strong');
    return name ? name.scrollWidth - name.clientWidth : null;
  });
  expect(cut).toBe(0);
});
