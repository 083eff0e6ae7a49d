/** A dense board: its texts, the hand, opponents' goods, and an enlarged cell. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startApp, BLANK } from './app';
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

/** The heights of the letters in the city, in pixels. */
const citySizes = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const cells = [
      ...document.querySelectorAll<SVGGElement>('.cell[data-cell^=row-], .cell[data-cell^=city-]'),
    ];
    const size = (text: Element, scale: number) =>
      scale * parseFloat(getComputedStyle(text).fontSize || (text.getAttribute('font-size') ?? ''));
    const scaleOf = (element: SVGGraphicsElement | null | undefined) => element?.getScreenCTM()?.a ?? 0;
    const printed = cells.flatMap((cell) => {
      const name = cell.dataset['cell'] ?? '';
      const symbol = name.startsWith('row') ? name : `price-${name.at(-1) ?? ''}`;
      const scale = scaleOf(cell);
      return [...document.querySelectorAll(`[id$="--${symbol}"] text`)].map((text) => size(text, scale));
    });
    const boxes = cells.map((cell) => cell.getBoundingClientRect());
    const top = Math.min(...boxes.map((box) => box.top)) - (boxes[0]?.height ?? 0);
    const left = Math.min(...boxes.map((box) => box.left)) - (boxes[0]?.width ?? 0);
    const names = [...document.querySelectorAll<SVGTextElement>('.name-of-place')].filter((text) => {
      const box = text.getBoundingClientRect();
      return box.top > top && box.left > left;
    });
    return [...printed, ...names.map((text) => size(text, scaleOf(text)))];
  });

test('the texts of the city are readable on tablets and desktops', { tags: 'long' }, async () => {
  for (const [width, height] of [
    [820, 1180],
    [1024, 768],
    [1440, 900],
    [1920, 1080],
  ] as const)
    for (const players of [2, 4])
      for (const locale of ['en', 'ja']) {
        const { page } = await app.openPage({ at: BLANK, locale, viewport: { width, height } });
        const seats = Array.from({ length: players }, () => ({ kind: 'person' }));
        const options = players > 2 ? { players: String(players) } : {};
        await openMatch(page, app.url, GAME, await createMatch(app.url, { game: GAME, seats, options }));
        const sizes = await citySizes(page);
        expect(sizes.length).toBeGreaterThan(30);
        expect(Math.min(...sizes), `${width} ${players} ${locale}`).toBeGreaterThanOrEqual(14);
        await page.context().close();
      }
});

test.each([
  [4, 'en', 1024, 768],
  [4, 'en', 1280, 800],
  [2, 'ja', 1024, 768],
] as const)(
  '%i players confirm a turn without scrolling (%s, %i × %i)',
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

test('on a phone no button of the prompt lies over another', async () => {
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
