/** A player's actions within a match, apart from playing it to the end. */
import { expect, test } from 'vitest';
import { startApp, BLANK } from './app';
import { chooseEntry, menuEntry, openMenu } from './menu';
import {
  actions,
  confirm,
  coveredCells,
  seededRandom,
  GAMES,
  canConfirm,
  waitForTurn,
  playRandomAction,
  openGame,
} from './play';

const app = startApp();

async function twoPeople(turns: number) {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openGame(page, app.url, 'person');
  const roll = seededRandom(turns + 1);
  for (let turn = 0; turn < turns; turn += 1) {
    while (!(await canConfirm(page))) await playRandomAction(page, roll);
    await confirm(page);
    await page.waitForSelector('.cell.touchable');
  }
  return { page, errors, roll };
}

test('an action is undone, and a whole turn', async () => {
  const { page, roll } = await twoPeople(1);
  const before = await actions(page);
  await playRandomAction(page, roll);
  while ((await actions(page)) === before) await playRandomAction(page, roll);
  const pieces = await page.locator('.here').count();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.moves .entry').length === count, before);
  while (!(await canConfirm(page))) await playRandomAction(page, roll);
  expect(await actions(page)).toBeGreaterThan(before + 1);
  await page.keyboard.press('Shift+U');
  await page.waitForFunction((count) => document.querySelectorAll('.moves .entry').length === count, before);
  expect(await canConfirm(page)).toBe(false);
  expect(pieces).toBeGreaterThan(1);
});

test('a reload in mid-turn restores everything', async () => {
  const { page, roll } = await twoPeople(1);
  const before = await actions(page);
  while ((await actions(page)) === before) await playRandomAction(page, roll);
  const picture = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.cell')].map((cell) => cell.getAttribute('aria-label')),
    );
  const seen = await picture();
  const asked = await page.locator('.prompt .words').textContent();
  await page.reload();
  await page.waitForSelector('.cell.touchable');
  expect(await picture()).toEqual(seen);
  expect(await page.locator('.prompt .words').textContent()).toBe(asked);
  await page.locator('.home').click();
  await page.getByRole('link', { name: /In progress/ }).click();
  await page.waitForSelector('.cell.touchable');
  expect(await picture()).toEqual(seen);
});

test('after a crash of the server the match continues', async () => {
  const { page, roll } = await twoPeople(1);
  const before = await actions(page);
  await app.server.kill();
  await page.waitForSelector('.offline');
  // Selected while the server is down: it counts once, later.
  const cells = page.locator('.cell.touchable');
  const names = await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label') ?? ''));
  const plays = names.findIndex((name) => !name.includes('selectable'));
  await cells.nth(plays).click({ force: true });
  await app.server.start();
  await page.waitForFunction(
    (count) => document.querySelectorAll('.moves .entry').length === count,
    before + 1,
  );
  await page.waitForSelector('.offline', { state: 'detached' });
  await waitForTurn(page);
  while (!(await canConfirm(page))) await playRandomAction(page, roll);
});

test('an illegal selection shows the reason with a link to the clause', async () => {
  const { page, errors } = await twoPeople(2);
  await page.locator('.cell:not(.touchable)').first().click({ force: true });
  const bubble = page.locator('.rejection');
  const why = (await bubble.locator('p').textContent()) ?? '';
  expect(why.length).toBeGreaterThan(10);
  await expect.poll(() => page.locator('[role=log]').textContent()).toContain(why);
  const rule = bubble.getByRole('button', { name: /^Rule \d/ });
  const number = (await rule.textContent())?.trim();
  await rule.click();
  const found = page.locator('dialog .found');
  await found.waitFor();
  // The book shows the number that the button names.
  expect(await found.evaluate((clause) => getComputedStyle(clause, '::before').content)).toBe(`"${number}"`);
  expect(await found.getAttribute('id')).toMatch(/^clause-\d/);
  expect(await found.evaluate((clause) => clause === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.keyboard.press('Escape');
  await bubble.waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('Escape closes a panel that a tap has opened', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK, viewport: { width: 412, height: 915 }, hasTouch: true });
  await openGame(page, app.url, 'person', 'montana');
  const popup = page.locator('.popup');
  const handle = page.locator('.cell[data-cell=supply] .hit').first();
  for (let closed = 0; (await popup.count()) > 0 && closed < 3; closed += 1)
    await page.keyboard.press('Escape');
  await popup.waitFor({ state: 'detached' });
  await handle.tap({ force: true });
  await popup.waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Escape');
  await popup.waitFor({ state: 'detached' });
});

test.each(GAMES)(
  '%s: on a phone the reason is within the page, and covers no selectable cell',
  { tags: 'long' },
  async (game) => {
    const [width, height] = [320, 568];
    const { page } = await app.openPage({
      at: BLANK,
      locale: 'ja',
      viewport: { width, height },
      hasTouch: true,
    });
    await openGame(page, app.url, 'person', game);
    const cells = page.locator('.cell:not(.touchable)');
    let reasons = 0;
    for (const place of [0, 0.5, 1]) {
      const touched = await cells
        .nth(Math.round(place * ((await cells.count()) - 1)))
        .locator('.hit')
        .boundingBox();
      if (!touched) throw new Error('the cell is not there');
      await page.touchscreen.tap(touched.x + touched.width / 2, touched.y + touched.height / 2);
      const popup = page.locator('.popup');
      await page.locator('.rejection').or(popup).waitFor();
      // A part of the table that rests comes forward instead.
      if ((await popup.count()) > 0) {
        await popup.getByRole('button', { name: '閉じる' }).tap();
        await popup.waitFor({ state: 'detached' });
        continue;
      }
      reasons += 1;
      const said = await page.locator('.rejection').boundingBox();
      if (!said) throw new Error('nothing is said');
      expect(said.x >= 0 && said.x + said.width <= width).toBe(true);
      expect(said.y >= 0 && said.y + said.height <= height).toBe(true);
      expect(await coveredCells(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.locator('.rejection').waitFor({ state: 'detached' });
    }
    expect(reasons).toBeGreaterThan(0);
  },
);

test('coordinates, the position read out, the keyboard shortcuts', async () => {
  const { page } = await twoPeople(2);
  await page.keyboard.down('h');
  await page.waitForSelector('.value');
  await page.waitForTimeout(350);
  await page.keyboard.up('h');
  await page.waitForSelector('.board .value', { state: 'detached' });
  // Pressed briefly: the key goes up at once.
  await Promise.all([page.keyboard.down('h'), page.keyboard.up('h')]);
  await page.waitForSelector('.board .value');
  await page.keyboard.press('p');
  const said = page.locator('[role=log] p');
  await page.waitForFunction(() => document.querySelectorAll('[role=log] p').length >= 5);
  expect((await said.allTextContents()).join(' ')).toMatch(/pawn/);
  await page.keyboard.press('?');
  await expect.poll(() => page.locator('dialog kbd').count()).toBeGreaterThan(12);
});

test('a player can see the board and the clocks alone', async () => {
  const { page } = await twoPeople(2);
  const moves = page.locator('.moves');
  await moves.waitFor();
  await page.keyboard.press('z');
  await expect.poll(() => moves.isVisible()).toBe(false);
  expect(await page.locator('.seat').first().isVisible()).toBe(true);
  await page.reload();
  await page.waitForSelector('.board .cell');
  expect(await moves.isVisible()).toBe(false);
  await page.keyboard.press('z');
  await expect.poll(() => moves.isVisible()).toBe(true);
});

test('the focused cell is framed, and stays visible', { tags: 'long' }, async () => {
  const { page } = await twoPeople(0);
  await page.keyboard.press('b');
  await page.keyboard.press('ArrowRight');
  const frame = page.locator('.above .ring');
  await frame.waitFor({ state: 'attached' });
  const { fill, stroke } = await frame.evaluate((element) => getComputedStyle(element));
  expect(fill).toBe('none');
  expect(stroke).not.toBe('none');
});

test('a long press shows a preview and selects nothing', async () => {
  const { page } = await app.openPage({ at: BLANK, hasTouch: true });
  await openGame(page, app.url, 'person');
  const box = await page.locator('.cell.touchable').first().boundingBox();
  const point = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  const hand = await page.context().newCDPSession(page);
  await hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await page.waitForSelector('.board .preview');
  await hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForSelector('.board .preview', { state: 'detached' });
  expect(await actions(page)).toBe(0);
  await page.touchscreen.tap(point.x, point.y);
  await page.waitForFunction(() => document.querySelectorAll('.moves .entry').length === 1);
});

test('a short touch stays short, however late it is delivered', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: BLANK, hasTouch: true });
  await openGame(page, app.url, 'person');
  const box = await page.locator('.cell.touchable').first().boundingBox();
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  /** A finger event; `at`: its time in milliseconds, whenever it is delivered. */
  const tell = (type: string, at: number) =>
    page.evaluate(
      ([type, at, x, y]) => {
        const what = { bubbles: true, pointerType: 'touch', clientX: x, clientY: y, detail: 1 };
        const event = new PointerEvent(type, what);
        Object.defineProperty(event, 'timeStamp', { value: at });
        document.elementFromPoint(x, y)?.dispatchEvent(event);
      },
      [type, at, x, y] as const,
    );
  await tell('pointerdown', 1000);
  await page.waitForSelector('.board .preview');
  await tell('pointerup', 1050);
  await tell('click', 1050);
  await page.waitForFunction(() => document.querySelectorAll('.moves .entry').length === 1);
});

test('a player who resigns has lost, and can start again', async () => {
  const { page } = await twoPeople(1);
  await page.locator('.prompt').getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Keep playing' }).click();
  expect(await page.locator('.prompt.over').count()).toBe(0);
  await chooseEntry(page, 'Resign');
  await page.locator('dialog .strong').click();
  await page.waitForSelector('.prompt.over');
  expect(await page.locator('.prompt').textContent()).toMatch(/resigned/);
});

test('the game record can be downloaded', { tags: 'long' }, async () => {
  const { page } = await twoPeople(1);
  await openMenu(page);
  const save = await menuEntry(page, 'Download game record');
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(download.suggestedFilename()).toMatch(/\.txt$/);
});

test('an unknown match is reported', async () => {
  const { page } = await app.openPage({ at: '/match/nowhere' });
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toMatch(/not found/);
  await page.getByRole('link', { name: 'All games' }).click();
  await page.waitForSelector('article .picture svg[role=img]');
});

test('the prompt and the board go on below a page translator', async () => {
  const { page } = await twoPeople(1);
  // As translators do it: a wrapper in place of every text that may be translated.
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const parent = text.parentElement;
      if (!text.data.trim() || !parent || parent.closest('[translate=no], script, style, svg')) continue;
      const font = document.createElement('font');
      font.textContent = text.data;
      text.replaceWith(font);
    }
  });
  const heading = page.locator('.prompt h2');
  const before = await heading.textContent();
  const roll = seededRandom(4);
  while (!(await canConfirm(page))) await playRandomAction(page, roll);
  await confirm(page);
  await expect.poll(() => heading.textContent()).not.toBe(before);
});
