/** Whole games, as people play them. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, startApp, screenshot, BLANK, phone } from './app';
import {
  actions,
  startFourPlayerGame,
  confirm,
  seededRandom,
  type GameName,
  GAMES,
  playRandomActionByKeyboard,
  canConfirm,
  waitForTurn,
  isOver,
  type Position,
  resign,
  openMatchWhen,
  playRandomAction,
  openGame,
} from './play';

const app = startApp();

/** The number of selections before resigning; the other games are played to the end, each once by each means. */
const BY_MOUSE: Partial<Record<GameName, number>> = { montana: 30, proteus: 40 };
const BY_KEYBOARD: Partial<Record<GameName, number>> = { montana: 25, passtally: 25 };

/** The first decision of a turn. */
const mainStage = ({ view }: Position) =>
  view.actions.some(({ kind }) => kind === 'recruit') ? null : (view.actions[0]?.token ?? null);

/** The same, when the goods for every settlement are spent. */
const nothingToBuild = (now: Position) =>
  now.view.actions.find(({ kind }) => kind === 'build')?.token ?? mainStage(now);

/** Plays to the end of the game, or to the limit. */
async function playOut(
  page: Page,
  touch: () => Promise<void>,
  confirm: () => Promise<void>,
  patience?: number,
): Promise<void> {
  for (let touches = 0; touches < (patience ?? 400); touches += 1) {
    await waitForTurn(page);
    if (await isOver(page)) return;
    if (await canConfirm(page)) await confirm();
    else await touch();
  }
  if (patience === undefined) throw new Error('The game does not end.');
  await waitForTurn(page);
  if (!(await isOver(page))) await resign(page);
}

test('all games of the server are tested here', async () => {
  const known = (await (await fetch(`${app.url}/api/games`)).json()) as {
    name: string;
  }[];
  expect(known.map(({ name }) => name)).toEqual(GAMES);
});

test.each(GAMES)(
  '%s: a game against the engine, by mouse',
  { tags: 'long', timeout: 120_000 },
  async (game) => {
    const { page, errors } = await app.openPage({ at: BLANK });
    const roll = seededRandom(3);
    await openGame(page, app.url, 'engine', game);
    await playOut(
      page,
      () => playRandomAction(page, roll),
      () => confirm(page),
      BY_MOUSE[game],
    );
    expect(await page.locator('.prompt h2').textContent()).toMatch(/win|draw/i);
    expect((await page.locator('.prompt .words p').textContent())?.length).toBeGreaterThan(10);
    expect(await page.locator('.cell.touchable').count()).toBe(0);
    expect(errors).toEqual([]);
    await page.locator('.prompt .strong').click();
    // The first draws are in the list at once.
    await page.waitForFunction(() => document.querySelectorAll('.moves .entry').length < 6);
    expect(await page.locator('.prompt.over').count()).toBe(0);
  },
);

test(
  'montana: a game of four against three engines, by mouse',
  { tags: 'long', timeout: 120_000 },
  async () => {
    const { page, errors } = await app.openPage();
    const roll = seededRandom(4);
    await startFourPlayerGame(page, 'montana');
    expect(await page.locator('.seat').count()).toBe(4);
    const before = await actions(page);
    await playOut(
      page,
      () => playRandomAction(page, roll),
      () => confirm(page),
      25,
    );
    expect(await actions(page)).toBeGreaterThan(before + 20);
    expect(await page.locator('.prompt h2').textContent()).toMatch(/win|draw|share/i);
    expect(await page.locator('.cell.touchable').count()).toBe(0);
    expect(errors).toEqual([]);
  },
);

/** Sites where the seat to act would place all of its remaining tiles. */
function lastSites({ acting, view: { seats, actions } }: Position): Position['view']['actions'] {
  const left = seats[acting]?.counters.find(({ id }) => id === 'tiles')?.value;
  return actions.filter(({ kind, preview }) => kind === 'build' && preview?.length === left);
}

/**
 * A policy that ends a game of Montana: build if possible, otherwise work for the scarcest good, otherwise
 * hire.
 */
function settle(roll: (sides: number) => number): (now: Position) => string | null {
  const GOODS: Record<string, string> = { mine: 'c', quarry: 's', field: 'g', farm: 'v' };
  return (now) => {
    const { seats, actions } = now.view;
    const held = new Map(seats[now.acting]?.counters.map(({ id, value }) => [id, value]));
    if (lastSites(now).length > 0 || actions.length === 0) return null;
    const worth = ({ kind, token, preview }: (typeof actions)[number]): number => {
      const good = GOODS[/^[a-z]+/.exec(token)?.[0] ?? ''] ?? '';
      const workers = ['n', 'k', 'y', 'o'].reduce((sum, id) => sum + (held.get(id) ?? 0), 0);
      const worths: Record<string, number> = {
        build: 100 + (preview?.length ?? 0),
        extra: 50,
        work: 40 - 8 * (held.get(good) ?? 0) - token.length + roll(8),
        bank: (held.get('silver') ?? 0) < 6 ? 35 + roll(8) : 0,
        recruit: 30 - 5 * workers + roll(8),
        city: (held.get('v') ?? 0) > 2 ? 20 + roll(20) : 5,
        swap: token.length,
        canteen: 2,
        cow: -5,
      };
      return worths[kind] ?? roll(2);
    };
    return actions.reduce((best, action) => (worth(action) > worth(best) ? action : best)).token;
  };
}

test(
  'montana: after the last tile the round is completed and the result shown',
  { tags: 'long', timeout: 180_000 },
  async () => {
    const { page, errors } = await app.openPage({ at: BLANK });
    let now: Position;
    // With random play the last round comes first in one game of a hundred.
    do now = await openMatchWhen(page, app.url, 'montana', settle(seededRandom(11)));
    while (await isOver(page));
    const before = await actions(page);
    for (const cell of lastSites(now)[0]?.touches ?? []) {
      await page.locator(`.cell.touchable[data-cell="${cell}"]`).click({ force: true });
    }
    await page.waitForFunction((then) => document.querySelectorAll('.moves .entry').length !== then, before);
    await waitForTurn(page);
    const roll = seededRandom(12);
    await playOut(
      page,
      () => playRandomAction(page, roll),
      () => confirm(page),
    );
    expect(await page.locator('.prompt h2').textContent()).toMatch(/wins/);
    expect(await page.locator('.prompt .words').textContent()).toMatch(
      /placed all settlements|Equal in everything/,
    );
    expect(await page.locator('.seat.won').count()).toBeGreaterThan(0);
    expect(await page.locator('.seat .hidden', { hasText: 'Settlement tiles left' }).count()).toBe(2);
    expect(errors).toEqual([]);
  },
);

test.each(GAMES)('%s: a game by keyboard alone', { tags: 'long', timeout: 120_000 }, async (game) => {
  const { page, errors } = await app.openPage();
  const roll = seededRandom(9);
  const reach = async (name: RegExp) => {
    for (let key = 0; key < 60; key += 1) {
      await page.keyboard.press('Tab');
      const [text, of] = await page.evaluate(() => [
        document.activeElement?.textContent ?? '',
        document.activeElement?.closest('article')?.dataset['game'],
      ]);
      if (name.test(text ?? '') && of === game) return;
    }
    throw new Error(`The tab key does not come to ${name}.`);
  };
  await reach(/2 players/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.board .cell');
  await playOut(
    page,
    () => playRandomActionByKeyboard(page, roll),
    () => confirm(page, 'key'),
    BY_KEYBOARD[game],
  );
  expect(await page.locator('.prompt h2').textContent()).toMatch(/win|draw/i);
  expect(errors).toEqual([]);
});

test('pieces travel, and a click skips the animation', async () => {
  const { page } = await app.openPage({ at: BLANK, reducedMotion: 'no-preference' });
  const roll = seededRandom(1);
  await openGame(page, app.url, 'person');
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .some(
          (one) =>
            one.effect?.getComputedTiming().duration !== undefined &&
            (one.effect as KeyframeEffect).target?.closest('svg[role=application]'),
        ),
    );
  await page.locator('.cell.touchable').nth(roll(4)).click({ force: true });
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .some((one) => (one.effect as KeyframeEffect).target?.closest('svg[role=application]')),
  );
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelectorAll('.moves .entry').length === 1);
  await expect.poll(moving).toBe(false);
});

test(
  'montana: on a phone the spinning wheel is shown, whatever panel is open',
  { tags: 'long' },
  async () => {
    const { page } = await app.openPage({
      at: BLANK,
      ...phone(390, 844),
      reducedMotion: 'no-preference',
    });
    await openMatchWhen(page, app.url, 'montana', mainStage);
    await page.getByRole('tab', { name: 'Land' }).tap();
    await page.getByRole('button', { name: 'Recruit: spin the wheel' }).tap();
    await page.locator('.prompt .strong').tap();
    const spinning = await page.waitForFunction(() => {
      const arrow = document
        .getAnimations()
        .map((one) => (one.effect as KeyframeEffect).target)
        .find((target) => target?.closest('[data-cell=wheel]'));
      return arrow && { ...arrow.getBoundingClientRect().toJSON() };
    });
    const { left, top, right, bottom } = (await spinning.jsonValue()) as DOMRect;
    expect(left >= 0 && top >= 0 && right <= 390 && bottom <= 844 && right > left).toBe(true);
    // In front of the board, large enough to see where the arrow stops.
    expect(right - left).toBeGreaterThan(60);
    expect(await page.getByRole('dialog', { name: 'Wheel' }).isVisible()).toBe(true);
    expect(await page.getByRole('tab', { name: 'Landscape' }).getAttribute('aria-selected')).toBe('true');
  },
);

test(
  'montana: costs are readable on a laptop, and the map is the largest part',
  { tags: 'long' },
  async () => {
    const { page } = await app.openPage({ viewport: { width: 1440, height: 900 } });
    await startFourPlayerGame(page, 'montana');
    const { icons, map, board } = await page.evaluate(() => {
      const box = (one: Element) => one.getBoundingClientRect();
      const cells = [...document.querySelectorAll('.cell')];
      const hexes = cells
        .filter((cell) => /^-?\d+,-?\d+$/.test(cell.getAttribute('data-cell') ?? ''))
        .map(box);
      const span = (boxes: DOMRect[]) =>
        Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
      const scale = (hexes[0]?.width ?? 0) / 100;
      const plains = [...document.querySelectorAll('.symbols [id*="--plain-"]')];
      const icons = plains.flatMap((plain) =>
        [...plain.querySelectorAll<SVGGraphicsElement>('use[href*="--icon-"]')].map((icon) => {
          const { a } = icon.transform.baseVal.consolidate()?.matrix ?? { a: 1 };
          const { width, height } = icon.getBBox();
          return scale * a * Math.max(width, height);
        }),
      );
      return { icons, map: span(hexes), board: span(cells.map(box)) };
    });
    expect(icons.length).toBeGreaterThan(60);
    expect(Math.min(...icons)).toBeGreaterThanOrEqual(20);
    expect(map).toBeGreaterThan(0.55 * board);
  },
);

test('montana: the supply is folded until a player asks for it or needs it', async () => {
  const { page, errors } = await app.openPage({ at: BLANK, viewport: { width: 1440, height: 900 } });
  await openMatchWhen(page, app.url, 'montana', mainStage);
  expect(await page.locator('.cell[data-cell=supply-g]').count()).toBe(0);
  await page.locator('.cell[data-cell=supply]').click();
  const supply = page.getByRole('dialog', { name: 'Supply' });
  await supply.locator('.cell[data-cell=supply-g]').waitFor();
  // The keyboard comes along, and goes back.
  await page.keyboard.press('b');
  expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  await supply.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.closest('.board') !== null)).toBe(true);
  // A cow is traded for something of the supply.
  await page.locator('.cell[data-cell=hand-cow]').click();
  await supply.locator('.cell.touchable[data-cell=supply-g]').click();
  await supply.waitFor({ state: 'detached' });
  const grain = page.locator('.cell[data-cell=hand-g]');
  await expect.poll(() => grain.getAttribute('aria-label')).toMatch(/2/);
  expect(errors).toEqual([]);
});

test('montana: on a phone a touch of a plain shows it enlarged', async () => {
  const { page } = await app.openPage({
    at: BLANK,
    ...phone(390, 844),
  });
  await openMatchWhen(page, app.url, 'montana', nothingToBuild);
  // The panel stays open, although nothing can be selected there.
  await page.getByRole('tab', { name: 'Landscape' }).tap();
  const small = (await page.locator('.cell[data-cell="0,0"] .hit').boundingBox())?.width ?? 0;
  await page.locator('.cell:not(.touchable)[aria-label*=plain]').first().click({ force: true });
  const picture = await page.locator('.board svg.enlarged').boundingBox();
  expect(picture?.width).toBeGreaterThan(1.6 * small);
});

test.each([
  [667, 375, 'en'],
  [568, 320, 'ja'],
] as const)(
  'montana: on a landscape phone the answer to a question is visible (%i×%i, %s)',
  { tags: 'long' },
  async (width, height, locale) => {
    const { page } = await app.openPage({
      at: BLANK,
      locale,
      ...phone(width, height),
    });
    await openMatchWhen(page, app.url, 'montana', mainStage);
    await page
      .getByRole('button', {
        name: /Recruit: spin the wheel|雇用：回転盤を回す/,
      })
      .tap();
    await page.locator('.prompt .warning').waitFor();
    await screenshot(page, `montana-asked-${width}-${locale}`);
    const box = await page.locator('.prompt .strong').boundingBox();
    expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    // It covers no other button.
    const hidden = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('.prompt button')].map((one) =>
        one.getBoundingClientRect(),
      );
      return boxes.filter((one, at) =>
        boxes.some(
          (other, place) =>
            place !== at &&
            one.left < other.right &&
            other.left < one.right &&
            one.top < other.bottom &&
            other.top < one.bottom,
        ),
      ).length;
    });
    expect(hidden).toBe(0);
  },
);

test('montana: the card of a seat shows all that it has, named, by touch and by keyboard', async () => {
  const { page } = await app.openPage({ at: BLANK, viewport: { width: 390, height: 844 } });
  const { view } = await openMatchWhen(page, app.url, 'montana', mainStage);
  const blue = page.getByRole('dialog', { name: 'In hand: Blue' });
  await page.locator('.seat').nth(1).locator('.counter').first().click();
  await blue.waitFor();
  expect(await blue.getByRole('listitem').count()).toBe(view.seats[1]?.counters.length);
  expect(await accessibilityViolations(page)).toEqual([]);
  await blue.getByRole('button', { name: 'Close' }).click();
  await blue.waitFor({ state: 'detached' });
  const button = page.getByRole('button', { name: 'In hand: Blue' });
  await button.press('Enter');
  expect(await blue.getByRole('listitem').first().innerText()).toMatch(/^Settlement tiles left\s+12/);
  await page.keyboard.press('Escape');
  await blue.waitFor({ state: 'detached' });
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
});
