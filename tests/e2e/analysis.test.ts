/** The analysis board: branches, imports with faults, links, the engine, chance, and a browser without WebAssembly. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, screenshot, startApp, BLANK, phone } from './app';
import { type GameName, GAMES, openMatchAfter } from './play';

const app = startApp();

/** Blue walls itself in, and Red wins. */
const SHORTEST = 'Pnw Pw Pne Pe Pse Pse Cw'.split(' ');

/** Black wins within three actions. */
const FORCED =
  'Rc@b2 Bs@a1 c@b2 Bt@c2 Ys@a2 Rs@a3 Yc@b1 s@a2 t@c2 Yt@c1 s@a1 t@b1 Bc@b3 c@c1 Rt@c3 c1*c3 c2*c3 a2-b3'.split(
    ' ',
  );

const record = (game: GameName, line: string[]) => `[Game "${game}"]\n\n${line.join(' ')}\n`;

/** The position on screen: the number of actions before it. */
async function ply(page: Page, wanted: number): Promise<void> {
  await page.locator(`.prompt[data-ply="${wanted}"]`).waitFor();
}

async function paste(page: Page, text: string): Promise<void> {
  await page.goto(`${app.url}/analysis`);
  await page.getByLabel('Record or position').fill(text);
  await page.getByRole('button', { name: 'Start' }).click();
}

/** Plays the first action that a selection on the board leads to, by keyboard. */
async function playByKeyboard(page: Page, count: number): Promise<void> {
  const cell = page.locator('.board .cell.touchable').first();
  await cell.focus();
  for (let press = 0; press < 6; press += 1) {
    await page.keyboard.press('Enter');
    const done = await page
      .locator(`.prompt[data-ply="${count}"]`)
      .waitFor({ timeout: 1_000 })
      .then(
        () => true,
        () => false,
      );
    if (done) return;
    await page.locator('.board .cell.touchable').first().focus();
  }
  throw new Error('No action was played.');
}

const moves = (page: Page) => page.locator('.tree .entry button');

test(
  'a line with a branch is played by keyboard, annotated, exported, and kept on reload',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage();
    await page.goto(app.url);
    await page.getByRole('link', { name: 'Analysis' }).click();
    await page.locator('form select').first().selectOption('potlatch');
    await page.getByRole('button', { name: 'Start' }).click();
    await ply(page, 0);
    await playByKeyboard(page, 1);
    await playByKeyboard(page, 2);
    // Back, and another action: a variation.
    await page.locator('h1').click();
    await page.keyboard.press('ArrowLeft');
    await ply(page, 1);
    await page.keyboard.press('ArrowRight');
    await ply(page, 2);
    await page.keyboard.press('u');
    await ply(page, 1);
    await page.locator('.board .cell.touchable').last().focus();
    await page.keyboard.press('Enter');
    const other = page.locator('.board .cell.touchable').last();
    if ((await page.locator('.prompt').getAttribute('data-ply')) === '1') {
      await other.focus();
      await page.keyboard.press('Enter');
    }
    await ply(page, 2);
    expect(await page.locator('.tree .nested li').count()).toBe(1);
    await page.getByRole('button', { name: 'Comment and mark' }).click();
    await page.getByLabel('Comment on this position').fill('An {idea}');
    await page.getByRole('button', { name: 'Interesting' }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    const annotated = page.locator('.tree .nested');
    expect(await annotated.innerText()).toMatch(/!\?[\s\S]+An \(idea\)/);
    // The record has the variation, and reads back.
    await page.getByRole('button', { name: 'Menu' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download game record' }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    expect(text).toMatch(/\[Game "potlatch"\][\s\S]+\(.*\{!\?\}\s+\{An \(idea\)\}\)/);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await ply(page, 2);
    expect(await annotated.innerText()).toContain('An (idea)');
    // The variation becomes the main line; then it is deleted.
    await page.getByRole('button', { name: 'Make main line' }).click();
    await page.locator('.tree .nested .comment').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete from here' }).click();
    await ply(page, 1);
    expect(await moves(page).count()).toBe(3);
    // The list has it.
    await page.getByRole('link', { name: 'All analyses' }).click();
    await page.getByText(/^Actions: 2 · /).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  },
);

test(
  'a record with faults is reported line by line, and its readable part opens',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage();
    await paste(page, '[Game "potlatch"]\n\n1. Pnw Pw (Zz)\n(Cn)\n2. Pne\n3. Q\n');
    const faults = page.locator('.faults li');
    await faults.first().waitFor();
    expect(await faults.allInnerTexts()).toEqual([
      expect.stringMatching(/^Line 3: Zz/),
      expect.stringMatching(/^Line 4: Cn/),
      expect.stringMatching(/^Line 6: Q/),
    ]);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Open the readable part (actions: 3)' }).click();
    await ply(page, 0);
    expect(await moves(page).count()).toBe(4);
    // Faults of tags, and of positions.
    await paste(page, '[Game "potlatch"]\n[Options "actions=9"]\n');
    await page.getByText(/^Line 2: actions cannot be/).waitFor();
    await paste(page, 'not a position');
    await page
      .getByText(/^Line 1: /)
      .first()
      .waitFor();
    expect(errors).toEqual([]);
  },
);

test('a position opens by its link, and its copied link is the same position', async () => {
  const { page, errors } = await app.openPage({
    at: `/analysis?${new URLSearchParams({ game: 'potlatch', actions: '3', position: '?' })}`,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page
    .getByText(/^Line 1: /)
    .first()
    .waitFor();
  await page.goto(`${app.url}/analysis?${new URLSearchParams({ game: 'potlatch', actions: '3' })}`);
  await ply(page, 0);
  expect(new URL(page.url()).searchParams.get('id')).not.toBeNull();
  await playByKeyboard(page, 1);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Copy link to position' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).searchParams.get('actions')).toBe('3');
  const before = await page.locator('.board use').count();
  await page.goto(link);
  await ply(page, 0);
  await expect.poll(() => page.locator('.board use').count()).toBe(before);
  expect(errors).toEqual([]);
});

test('a whole analysis opens by its link in another browser', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const [first, ...rest] = SHORTEST;
  await paste(page, `[Game "potlatch"]\n\n${first} {good idea} (Pw {other}) ${rest.join(' ')}\n`);
  await ply(page, 0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Copy link to analysis' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const { page: theirs } = await app.openPage({ at: link });
  await ply(theirs, 0);
  expect(await moves(theirs).count()).toBe(await moves(page).count());
  await theirs.locator('.tree').getByText('good idea').waitFor();
  await theirs.locator('.tree .nested').getByText('other').waitFor();
  expect(new URL(theirs.url()).hash).toBe('');
  // A part of the link is refused, also on a page of the same address.
  await theirs.goto(`${app.url}/analysis`);
  await theirs.evaluate((part) => location.assign(part), link.slice(0, -5));
  await theirs.getByText(/This link is incomplete/).waitFor();
  expect(errors).toEqual([]);
});

test(
  'the engine shows shares, lines in words and a forced win, and judges the main line',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage();
    await paste(page, record('potlatch', SHORTEST));
    await ply(page, 0);
    await page.getByRole('button', { name: 'Engine' }).click();
    await page.locator('.suggestions .rank').first().waitFor();
    const label = (await page.locator('.engine .shares').getAttribute('aria-label')) ?? '';
    expect(label).toMatch(/^Red \d+%, Blue \d+%$/);
    await page.locator('.engine .further .after').first().waitFor();
    await page.getByText(/^[\d,]+ nodes, \d+ s$/).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    // The main line: the cost of walling oneself in, in graph and list.
    await page.getByRole('button', { name: 'Evaluate main line' }).click();
    await page.locator('.tree .cost').first().waitFor({ timeout: 60_000 });
    await page.getByRole('img', { name: 'Win chances over the game' }).waitFor();
    await page.locator('.graph .mistake').first().waitFor({ timeout: 60_000 });
    await screenshot(page, 'analysis-desk');
    // The graph is in sight wherever the panel is scrolled.
    for (const top of [0, 9_999]) {
      await page.locator('#panel-engine').evaluate((panel, to) => (panel.scrollTop = to), top);
      const graph = await page.locator('.graph').boundingBox();
      expect((graph?.y ?? 0) + (graph?.height ?? 9_999)).toBeLessThanOrEqual(800);
      expect(graph?.y).toBeGreaterThan(0);
    }
    // The decisive moments are small puzzles, during which the engine shows nothing.
    const moments = page.getByRole('region', { name: 'Decisive moments' });
    await moments
      .getByRole('button', { name: /Find better/ })
      .first()
      .click();
    await moments.getByText(/to act. Find a better move./).waitFor();
    expect(await page.getByRole('region', { name: 'Best moves' }).count()).toBe(0);
    expect(await page.locator('.suggestions .rank').count()).toBe(0);
    await moments.getByRole('button', { name: 'Show the solution' }).click();
    await moments.getByText('The best move.').waitFor();
    await moments.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: /accuracy/ }).waitFor();
    await page.keyboard.press('Home');
    await ply(page, 0);
    // A best move is played with a click.
    await page.locator('h1').click();
    await page.getByRole('region', { name: 'Best moves' }).getByRole('button').first().click();
    await ply(page, 1);
    expect(errors).toEqual([]);
  },
);

test('from 1280 px there are three columns, and a comment does not hide the tree', async () => {
  const { page } = await app.openPage({ viewport: { width: 1280, height: 800 } });
  await paste(page, record('potlatch', SHORTEST));
  await ply(page, 0);
  await page.getByRole('button', { name: 'Comment and mark' }).click();
  const [tree, board, engine] = await Promise.all(
    ['#panel-moves', 'main', '#panel-engine'].map((one) => page.locator(one).boundingBox()),
  );
  if (!tree || !board || !engine) throw new Error('a column is missing');
  expect(tree.x + tree.width).toBeLessThanOrEqual(board.x + 1);
  expect(board.x + board.width).toBeLessThanOrEqual(engine.x + 1);
  expect((await page.locator('.tree').boundingBox())?.height).toBeGreaterThan(200);
});

test('a forced win is shown as proven, with its length', async () => {
  const { page, errors } = await app.openPage();
  await paste(page, record('proteus', FORCED));
  await ply(page, 0);
  await page.keyboard.press('End');
  await ply(page, FORCED.length);
  await page.getByRole('button', { name: 'Engine' }).click();
  await page.getByText('Proven').waitFor({ timeout: 60_000 });
  await page.getByText('Black wins by force within 3 actions.').waitFor();
  expect(errors).toEqual([]);
});

test('another outcome of chance becomes a variation', async () => {
  const { page, errors } = await app.openPage({ at: '/analysis?game=passtally' });
  // Three draws come before the first decision.
  await ply(page, 3);
  await page.getByRole('button', { name: 'What if? Other outcomes' }).click();
  await ply(page, 2);
  const outcomes = page.getByRole('list', { name: 'Outcomes' }).getByRole('button');
  await outcomes.first().waitFor();
  const drawn = await moves(page).nth(3).locator('.hidden').innerText();
  await outcomes.filter({ hasNotText: drawn }).first().click();
  await ply(page, 3);
  expect(await page.locator('.tree .nested li').count()).toBe(1);
  expect(errors).toEqual([]);
});

test('a finished match opens from its review, and again with the changes', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openMatchAfter(page, app.url, 'potlatch', SHORTEST);
  const match = page.url();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('link', { name: 'Analysis board' }).click();
  await ply(page, SHORTEST.length);
  expect(await moves(page).count()).toBe(SHORTEST.length + 1);
  await page.getByRole('button', { name: 'Comment and mark' }).click();
  await page.getByLabel('Comment on this position').fill('the end');
  await page.getByRole('link', { name: 'All analyses' }).click();
  await page.goto(match);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('link', { name: 'Analysis board' }).click();
  await page.locator('.tree .comment', { hasText: 'the end' }).waitFor();
  expect(errors).toEqual([]);
});

test('without WebAssembly or without the module the page says what to do', { tags: 'long' }, async () => {
  const { page } = await app.openPage();
  await page.route('**/core.wasm', (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto(`${app.url}/analysis`);
  await page.getByText(/This server has no analysis module/).waitFor();
  await page.unroute('**/core.wasm');
  await page.route('**/core.wasm', (route) =>
    route.fulfill({ status: 200, contentType: 'application/wasm', body: 'broken' }),
  );
  await page.goto(`${app.url}/analysis?game=potlatch`);
  await page
    .getByText(/WebAssembly is missing or blocked/)
    .first()
    .waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
});

test.each(GAMES)('%s fits phones and is accessible, in both languages', { tags: 'long' }, async (game) => {
  for (const [locale, colorScheme, width, height] of [
    ['en', 'dark', 360, 740],
    ['ja', 'light', 320, 568],
  ] as const) {
    const { page, errors } = await app.openPage({
      at: `/analysis?game=${game}`,
      locale,
      colorScheme,
      ...phone(width, height),
    });
    await page.waitForFunction(() =>
      /\d/.test(document.querySelector('.prompt')?.getAttribute('data-ply') ?? ''),
    );
    await page.locator('[data-tab=engine]').click();
    await page.locator('.engine .switch').click();
    // The best action may have no place on the board.
    await page.locator('.engine ol .rank').first().waitFor();
    const what = `${game} ${locale} ${width}`;
    const board = await page.locator('.board:not(.popup *)').boundingBox();
    expect(board?.height, what).toBeGreaterThan(120);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBe(width);
    expect(await accessibilityViolations(page), what).toEqual([]);
    expect(errors, what).toEqual([]);
    await page.context().close();
  }
});
