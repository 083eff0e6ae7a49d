/** A dense board: its texts, the hand, opponents' goods, and an enlarged cell. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startApp, BLANK } from './app';
import { boardTexts, overlaps } from './boardTexts';
import {
  canConfirm,
  confirm,
  createMatch,
  openGame,
  openMatch,
  openMatchWhen,
  playRandomAction,
  type Position,
  seededRandom,
} from './play';

const app = startApp();

const GAME = 'montana';

/** Random actions until `stop`, and no pass that can be avoided. */
function playUntil(stop: (now: Position) => boolean): (now: Position) => string | null {
  const roll = seededRandom(11);
  return (now) => {
    const { actions } = now.view;
    if (stop(now) || now.status === 'over') return null;
    const useful = actions.filter(({ kind }) => kind !== 'pass' && kind !== 'end');
    const from = useful.length > 0 ? useful : actions;
    return from[roll(from.length)]?.token ?? null;
  };
}

const SIZES = [
  [820, 1180],
  [1024, 768],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const;

/** Texts of the board that are smaller than 14 px, cut, or lie over each other. */
async function faults(page: Page, of?: string): Promise<string[]> {
  const texts = await boardTexts(page, of);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const small = texts.filter(({ size }) => size < 14);
  const cut = texts.filter(
    ({ left, right, top, bottom }) => left < 0 || top < 0 || right > width || bottom > height,
  );
  expect(texts.length).toBeGreaterThan(of === undefined ? 80 : 3);
  return [
    ...small.map(({ text, where, size }) => `${text} (${where}) has ${size.toFixed(1)} px`),
    ...cut.map(({ text, where }) => `${text} (${where}) is cut`),
    ...overlaps(texts),
  ];
}

test.each([2, 3, 4])(
  'every text of the board of %i players is readable on tablets and desktops',
  { tags: 'long' },
  async (players) => {
    const first = await app.openPage({ at: BLANK });
    const crowded = playUntil(
      ({ seq, view }) => seq > 90 && view.actions.some(({ kind }) => kind === 'work'),
    );
    await openMatchWhen(first.page, app.url, GAME, crowded, false, players);
    const at = new URL(first.page.url()).pathname;
    const storageState = await first.page.context().storageState();
    for (const [locale, colorScheme] of [
      ['en', 'light'],
      ['ja', 'dark'],
    ] as const) {
      const { page } = await app.openPage({ at, locale, colorScheme, storageState });
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await page.locator('.cell.touchable').first().waitFor();
        const about = `${width} × ${height}, ${locale}`;
        expect(await faults(page), about).toEqual([]);
        await page.locator('.cell[data-cell=supply]').click({ force: true });
        await page.locator('.popup .cell').first().waitFor();
        expect(await faults(page, '.popup'), about).toEqual([]);
        await page.keyboard.press('Escape');
        await page.locator('.popup').waitFor({ state: 'detached' });
      }
      await page.context().close();
    }
  },
);

test('every text of the wheel in front is readable', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK });
  /** Whether the arrow can move over many segments, and to the one at the top. */
  const long = ({ view }: Position) => {
    const [stay, ...shifts] = view.actions.filter(({ kind }) => kind === 'shift');
    return (
      shifts.length > 3 &&
      !stay?.touches.includes('wheel-0') &&
      shifts.some(({ touches }) => touches.includes('wheel-0'))
    );
  };
  while (!long(await openMatchWhen(page, app.url, GAME, playUntil(long))));
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.locator('.popup [data-cell=wheel-0]').hover({ force: true });
    await page.locator('.popup [data-line]').first().waitFor({ state: 'attached' });
    expect(await faults(page, '.popup'), `${width} × ${height}`).toEqual([]);
  }
});

test.each([
  [4, 'en', 1024, 768],
  [4, 'en', 1280, 800],
  [2, 'ja', 1024, 768],
] as const)(
  '%i players confirm a turn without scrolling (%s, %i × %i)',
  { tags: 'long' },
  async (players, locale, width, height) => {
    const { page, errors } = await app.openPage({ at: BLANK, locale, viewport: { width, height } });
    const seats = Array.from({ length: players }, () => ({ kind: 'person' }));
    const body = { game: GAME, seats, options: { players: String(players) }, confirm: true };
    await openMatch(page, app.url, GAME, await createMatch(app.url, body));
    const roll = seededRandom(5);
    while (!(await canConfirm(page))) await playRandomAction(page, roll);
    const hidden = await page.locator('.prompt > .actions .button').evaluateAll(
      (buttons) =>
        buttons.filter((button) => {
          const { left, width, bottom } = button.getBoundingClientRect();
          const there = document.elementFromPoint(left + width / 2, bottom - 3);
          return !there || !button.contains(there);
        }).length,
    );
    expect(hidden).toBe(0);
    expect(errors).toEqual([]);
  },
);

test.each([
  [2, 12],
  [4, 9],
] as const)(
  'on a phone the goods of %i players are complete: %i kinds',
  { tags: 'long' },
  async (players, kinds) => {
    const { page } = await app.openPage({ at: BLANK, viewport: { width: 360, height: 740 } });
    const seats = Array.from({ length: players }, () => ({ kind: 'person' }));
    const options = players > 2 ? { players: String(players) } : {};
    await openMatch(page, app.url, GAME, await createMatch(app.url, { game: GAME, seats, options }));
    const cut = await page.locator('.seat .counters').evaluateAll((all, kinds) => {
      for (const one of all)
        while (one.childElementCount < kinds) one.append(one.lastElementChild?.cloneNode(true) ?? '');
      return all.flatMap((one) => {
        const seat = one.closest('.seat')?.getBoundingClientRect();
        return [...one.children].filter((counter) => {
          const { left, right, top, bottom } = counter.getBoundingClientRect();
          return !seat || left < seat.left || right > seat.right || top < seat.top || bottom > seat.bottom;
        });
      }).length;
    }, kinds);
    expect(cut).toBe(0);
  },
);

test('on a phone no button of the prompt lies over another', { tags: 'long' }, async () => {
  for (const [width, height] of [
    [360, 740],
    [360, 640],
  ] as const) {
    const { page } = await app.openPage({ at: BLANK, viewport: { width, height } });
    // In a turn: Undo, Undo turn, and the hint.
    await openMatchWhen(
      page,
      app.url,
      GAME,
      playUntil(({ view }) => view.actions.some(({ kind }) => kind === 'bid')),
    );
    await page.locator('.prompt .undo-turn').waitFor();
    await page.locator('.prompt .hint button').waitFor();
    const over = await page.locator('.prompt button').evaluateAll((buttons) => {
      const boxes = buttons.map((button) => button.getBoundingClientRect()).filter(({ width }) => width > 0);
      return boxes.filter((one, number) =>
        boxes
          .slice(number + 1)
          .some(
            (other) =>
              Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
              Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2,
          ),
      ).length;
    });
    expect(over, `${width} × ${height}`).toBe(0);
    await page.context().close();
  }
});

test('on a phone the button that confirms an action is in sight', async () => {
  for (const locale of ['en', 'ja']) {
    const { page } = await app.openPage({ at: BLANK, locale, viewport: { width: 360, height: 740 } });
    const spins = ({ view }: Position) => view.actions.some(({ kind }) => kind === 'recruit');
    await openMatchWhen(page, app.url, GAME, playUntil(spins));
    await page.locator('.prompt [role=group] button').last().click();
    const confirming = page.locator('.prompt .strong:enabled');
    await confirming.waitFor();
    const hidden = await confirming.evaluate((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const corners = [left + 12, right - 12].flatMap((x) =>
        [top + 12, bottom - 12].map((y) => [x, y] as const),
      );
      return corners.filter(([x, y]) => !button.contains(document.elementFromPoint(x, y))).length;
    });
    expect(hidden, locale).toBe(0);
    await page.context().close();
  }
});

test('an enlarged cell covers none that can be selected', { tags: 'long' }, async () => {
  for (const viewport of [
    { width: 820, height: 1180 },
    { width: 1440, height: 900 },
  ]) {
    const { page } = await app.openPage({ at: BLANK, viewport });
    const sites = ({ view }: Position) => view.actions.filter(({ kind }) => kind === 'build');
    await openMatchWhen(
      page,
      app.url,
      GAME,
      playUntil((now) => sites(now).length > 1),
    );
    const touchable = page.locator('.cell.touchable');
    const enlarged = page.locator('.enlarged');
    let seen = 0;
    for (const cell of await touchable.all()) {
      await cell.hover({ force: true });
      if ((await enlarged.count()) === 0) continue;
      seen += 1;
      const covered = await enlarged.evaluate((over) => {
        const box = over.getBoundingClientRect();
        return [...document.querySelectorAll('.cell.touchable .hit')]
          .map((hit) => hit.getBoundingClientRect())
          .filter(
            ({ left, right, top, bottom }) =>
              left < box.right && right > box.left && top < box.bottom && bottom > box.top,
          ).length;
      });
      expect(covered).toBe(0);
    }
    expect(seen).toBeGreaterThan(1);
  }
});

test('the hand has the colour of its seat, and shows what an action costs', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK, viewport: { width: 1440, height: 900 } });
  const sites = ({ view }: Position) => view.actions.filter(({ kind }) => kind === 'build');
  await openMatchWhen(
    page,
    app.url,
    GAME,
    playUntil((now) => sites(now).length > 0),
  );
  const acting = await page.locator('.seat.acting').evaluate((seat) => getComputedStyle(seat).borderTopColor);
  const plates = page.locator('.plate');
  expect(await plates.count()).toBe(3);
  expect(await plates.first().evaluate((plate) => getComputedStyle(plate).stroke)).toBe(acting);
  const change = page.locator('.change');
  for (const cell of await page.locator('.cell.touchable').all()) {
    await cell.hover({ force: true });
    if ((await page.locator('.enlarged').count()) > 0) break;
  }
  await change.first().waitFor();
  // A settlement is paid with goods, and its tile leaves the hand.
  expect(
    (await change.allTextContents()).filter((text) => text.trim().startsWith('−')).length,
  ).toBeGreaterThan(1);
});

test('before a turn is confirmed, the hand shows what it has changed', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK, viewport: { width: 1440, height: 900 } });
  await openGame(page, app.url, 'person', GAME);
  const roll = seededRandom(2);
  while (!(await canConfirm(page))) await playRandomAction(page, roll);
  await page.mouse.move(0, 0);
  await page.locator('.change').first().waitFor();
  await confirm(page);
  await expect.poll(() => page.locator('.change').count()).toBe(0);
});
