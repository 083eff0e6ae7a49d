/** Layout: both languages, every size. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, startApp, BLANK, screenshot, phone } from './app';
import {
  createMatch,
  openMatch,
  startGame,
  card,
  confirm,
  seededRandom,
  GAMES,
  canConfirm,
  playRandomAction,
  openGame,
  SHORT,
  LONGER,
} from './play';

const app = startApp();

test(
  'the browser sets the first language, and a change needs no reload and is stored',
  { tags: 'long' },
  async () => {
    const { page } = await app.openPage({ locale: 'ja-JP' });
    const language = () => page.evaluate(() => document.documentElement.lang);
    expect(await language()).toBe('ja');
    const start = () => page.locator('main').innerText();
    const japanese = await start();
    expect(japanese).toMatch(/コンピュータ/);
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    await page.getByRole('button', { name: 'English' }).click();
    await expect.poll(language).toBe('en');
    await expect.poll(start).not.toMatch(/[ぁ-んァ-ン]/);
    expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
    await page.reload();
    await page.waitForSelector('article .picture svg[role=img]');
    expect(await language()).toBe('en');
    await page.getByRole('button', { name: '日本語' }).click();
    await expect.poll(start).toBe(japanese);
    await startGame(page, 'person', SHORT);
    expect(await english(page)).toEqual([]);
  },
);

/** The English words of a page of a match, beside names and keys. */
async function english(page: Page): Promise<string[]> {
  const roll = seededRandom(2);
  while (!(await canConfirm(page))) await playRandomAction(page, roll);
  const text = (await page.locator('.page').innerText()).replace(/Tavola|Enter|Escape/g, '');
  const names = await page
    .locator('.cell')
    .evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label')));
  return [text, ...names].join(' ').match(/[a-zA-Z]{3,}|⟨/g) ?? [];
}

test.each(LONGER)('%s: a match in Japanese has no English words', { tags: 'long' }, async (game) => {
  const { page } = await app.openPage({ at: BLANK, locale: 'ja' });
  await openGame(page, app.url, 'person', game);
  expect(await english(page)).toEqual([]);
});

const devices = [
  ['phone', 360, 740],
  ['small', 320, 568],
  ['tablet', 820, 1180],
  ['laptop', 1440, 900],
] as const;
/** Each game on each device; both languages for each game and each device. */
const cases = GAMES.flatMap((game, row) =>
  devices.map(([device, width, height], column) => {
    const locale = (row + column) % 2 === 0 ? 'en' : 'ja';
    return [game, device, locale, width, height] as const;
  }),
);

const everythingIsVisible = async (...[game, device, locale, width, height]: (typeof cases)[number]) => {
  const touch = device !== 'laptop';
  const { page } = await app.openPage({
    at: BLANK,
    colorScheme: locale === 'en' ? 'light' : 'dark',
    locale,
    viewport: { width, height },
    hasTouch: touch,
    isMobile: touch,
  });
  await openGame(page, app.url, 'person', game);
  await screenshot(page, `${game}-${device}-${locale}-match`);
  const roll = seededRandom(6);
  for (let turn = 0; turn < 3; turn += 1) {
    while (!(await canConfirm(page))) await playRandomAction(page, roll);
    if (turn < 2) await confirm(page);
    if (turn < 2) await page.waitForSelector('.cell.touchable');
  }
  await screenshot(page, `${game}-${device}-${locale}-turn`);
  const { scrolls, small, outside } = await page.evaluate(() => {
    // Entries of the list of moves are as high as a line where there is a pointer.
    const lines = matchMedia('(hover: hover)').matches ? '.moves button' : '.none';
    const visible = [...document.querySelectorAll('.page button, .page a')].filter(
      (element) => element.checkVisibility() && !element.matches(lines),
    );
    const boxes = visible.map((element) => ({
      name: element.outerHTML.slice(0, 80),
      box: element.getBoundingClientRect(),
    }));
    const cells = [...document.querySelectorAll('.cell .hit')].map((cell) => cell.getBoundingClientRect());
    return {
      scrolls:
        document.documentElement.scrollHeight > innerHeight ||
        document.documentElement.scrollWidth > innerWidth,
      small: boxes.filter(({ box }) => box.width < 44 || box.height < 44).map(({ name }) => name),
      outside: [...boxes.map(({ box }) => box), ...cells].filter(
        ({ left, top, right, bottom }) =>
          left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1,
      ).length,
    };
  });
  expect(scrolls).toBe(false);
  expect(small).toEqual([]);
  expect(outside).toBe(0);
};

const title = '%s on a %s (%s): everything needed to play is visible';
// The game with the most on screen.
const [densest, ...others] = cases;
test.each(densest ? [densest] : [])(title, everythingIsVisible);
test.each(others)(title, { tags: 'long' }, everythingIsVisible);

test.each([
  ['montana', ['Red', 'Blue', 'Green'], undefined],
  ['montana', ['Red', 'Blue', 'Green'], { kind: 'main', seconds: 5400, increment: 5 }],
  ['passtally', ['Orange', 'Violet', 'Teal'], { kind: 'days', days: 3 }],
] as const)(
  '%s: on a phone three players have their names (%s, %o)',
  { tags: 'long' },
  async (game, said, time) => {
    const { page } = await app.openPage({ at: BLANK, viewport: { width: 360, height: 740 } });
    const seats = ['person', 'person', 'person'].map((kind) => ({ kind }));
    const options = { players: '3' };
    const created = await createMatch(app.url, { game, options, seats, ...(time && { time }) });
    await openMatch(page, app.url, game, created);
    const names = page.locator('.seat strong');
    expect(await names.allTextContents()).toEqual(said);
    // Names without room are clipped away or cut.
    for (const name of await names.all()) {
      expect(await name.evaluate((strong) => getComputedStyle(strong).clipPath)).toBe('none');
      expect(await name.evaluate((strong) => strong.scrollWidth - strong.clientWidth)).toBe(0);
    }
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(740);
  },
);

test.each(GAMES)(
  '%s: coordinates are readable at every size and do not overlap',
  { tags: 'long' },
  async (game) => {
    for (const [width, height] of [
      [390, 844],
      [820, 1180],
      [1440, 900],
    ] as const) {
      const { page } = await app.openPage({ at: BLANK, viewport: { width, height } });
      await openGame(page, app.url, 'person', game);
      await page.keyboard.press('h');
      // The panel with the board itself.
      for (const tab of await page.locator('[role=tab]').all()) {
        if ((await page.locator('.board .name').count()) > 0) break;
        await tab.click();
      }
      const names = await page.locator('.board .name').evaluateAll((all) =>
        all.map((name) => {
          const { left, right, top, bottom } = name.getBoundingClientRect();
          const scale = (name as SVGTextElement).getScreenCTM()?.a ?? 0;
          return { left, right, top, bottom, size: scale * parseFloat(getComputedStyle(name).fontSize) };
        }),
      );
      expect(names.length).toBeGreaterThan(3);
      for (const [place, one] of names.entries()) {
        expect(one.size).toBeGreaterThan(11);
        expect(one.size).toBeLessThan(18.1);
        const over = names
          .slice(place + 1)
          .filter(
            (other) =>
              one.left < other.right &&
              other.left < one.right &&
              one.top < other.bottom &&
              other.top < one.bottom,
          );
        expect(over, `${width}`).toEqual([]);
      }
      await page.context().close();
    }
  },
);

test('proteus: on a phone the board has room during the placement', { tags: 'long' }, async () => {
  const { page } = await app.openPage({
    at: BLANK,
    ...phone(360, 740),
  });
  await openGame(page, app.url, 'person', 'proteus');
  const cell = await page.locator('.cell[data-cell=b2] .hit').boundingBox();
  expect(cell?.width).toBeGreaterThan(60);
});

test.each(GAMES)(
  '%s: on a phone the rule book fits the page, and its tables scroll',
  { tags: 'long' },
  async (game) => {
    const { page } = await app.openPage({ viewport: { width: 320, height: 568 } });
    await card(page, game).getByRole('button', { name: 'Rule book' }).click();
    await page.waitForSelector('.book h1');
    const wider = await page.locator('dialog, dialog *').evaluateAll((all) =>
      all
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
        .filter((one) => getComputedStyle(one).overflowX !== 'visible')
        .map(({ className, tabIndex }) => [className, tabIndex]),
    );
    expect(wider.filter(([name, focus]) => name !== 'wide' || focus !== 0)).toEqual([]);
    expect(await accessibilityViolations(page, 'dialog')).toEqual([]);
  },
);

test('the tools cover no entry of the list of moves', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK, locale: 'ja', viewport: { width: 1440, height: 900 } });
  await openGame(page, app.url, 'engine', 'montana');
  const [list, tools] = await Promise.all(
    ['aside .moves', 'aside .tools'].map((part) => page.locator(part).boundingBox()),
  );
  expect(list?.height).toBeGreaterThan(60);
  expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual((tools?.y ?? 0) + 1);
  // No entry is drawn outside of the list.
  expect(await page.locator('aside .moves').evaluate((part) => getComputedStyle(part).overflowY)).not.toBe(
    'visible',
  );
});
