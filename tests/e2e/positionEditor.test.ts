/** The position editor: pieces are put by clicks and by keys, faults are named, and a position opens for analysis. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, BLANK, boxOf, startApp } from './app';
import { type GameName, GAMES } from './play';

const app = startApp();

/** For each game: the piece that is put first, and a text with a fault that the board marks. */
const EDITS: Record<GameName, { piece: string; text: string; fault: string; marked: number }> = {
  potlatch: {
    piece: 'Base tile',
    text: '0,0:0;3,0:0;4,0:0 3,0;4,0 R 0 3,0 0 0 -',
    fault: 'base tiles: not connected',
    marked: 2,
  },
  passtally: {
    piece: 'blue SL tile',
    text: 'S1e,S1w,-,-,-,-/-,-,S2,-,-,-/-,-,-,-,-,-/-,-,-,-,-,-/-,-,-,-,-,-/-,-,-,-,-,- -;- 0;0 SL13;SS13;LL11 5,6,7,6,7,6 0 0 - 0',
    fault: 'board: level 2 is not made of whole tiles',
    marked: 3,
  },
  proteus: {
    piece: 'red circle',
    text: 'Rc+/-/-/-/-/-/-/-/- W - -',
    fault: 'cells: Rc is face up without its match',
    marked: 1,
  },
  montana: {
    piece: "Red's settlement",
    text: '2/shift L04r2/L08r1/L05r5/L01r0/L06r1/L12r4/L03r3 2,1 2,1=0x1 c8C5s8S5g8v8/n18k18y18o18/4 3:-:csgv:1:0/4:-:csgv:1:0 -,-,-,-/-,-,-/-,-,-/-,-,-/-,-,- -/- 1 0 main',
    fault: 'settlements',
    marked: 1,
  },
};

const field = (page: Page) => page.getByLabel('Text of the position');
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });

/** Waits until the text is not this one, and returns it. */
async function changed(page: Page, before: string): Promise<string> {
  await expect.poll(() => field(page).inputValue()).not.toBe(before);
  return field(page).inputValue();
}

test.each(GAMES)(
  'a position of %s is set up by clicks and by keys, and analysed',
  { tags: 'long' },
  async (game) => {
    const { page, errors } = await app.openPage({ at: `/analysis?game=${game}&edit=1` });
    const { piece, text, fault, marked } = EDITS[game];
    await page.getByRole('radio', { name: piece }).first().waitFor();
    const start = await field(page).inputValue();

    // By clicks.
    await page.getByRole('radio', { name: piece }).first().click();
    await page.locator('.board .cell.touchable').first().click({ force: true });
    const edited = await changed(page, start);
    await page.getByRole('button', { name: 'Clear board' }).click();
    const empty = await changed(page, edited);
    await page.getByRole('radio', { name: piece }).first().click();
    await page.locator('.board .cell.touchable').first().click({ force: true });
    const clicked = await changed(page, empty);
    await undo(page).click();
    expect(await changed(page, clicked)).toBe(empty);

    // The same by keys: the tool by its number, the space by the arrows of the board or the tabulator.
    const number = await page.getByRole('radio', { name: piece }).first().getAttribute('aria-keyshortcuts');
    await page.locator('h1').click();
    await page.keyboard.press(number ?? '');
    await page.keyboard.press('b');
    await page.locator('.board .cell.touchable').first().focus();
    await page.keyboard.press('Enter');
    expect(await changed(page, empty)).toBe(clicked);
    await page.keyboard.press('u');
    expect(await changed(page, clicked)).toBe(empty);

    // A text with a fault: it is named, the board marks it, and there is nothing to analyse.
    await field(page).fill(text);
    await page.locator('.faults li', { hasText: fault }).first().waitFor();
    expect(await page.locator('.board .rejected').count()).toBe(marked);
    expect(await page.getByRole('button', { name: 'Analyse' }).isDisabled()).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);

    await field(page).fill(start);
    await page.getByRole('button', { name: 'Analyse', disabled: false }).click();
    await page.locator('.prompt[data-ply]').waitFor();
    expect(errors).toEqual([]);
  },
);

test('the tray shows the tiles of a map as pictures, larger than single pieces', async () => {
  const { page, errors } = await app.openPage({ at: '/analysis?game=montana&edit=1' });
  const drawn = async (name: string) => (await boxOf(page.getByRole('radio', { name }).locator('svg'))).width;
  await page.getByRole('radio', { name: 'Tile L12' }).waitFor();
  const piece = await drawn("Red's settlement");
  expect(await drawn('Tile L01')).toBeGreaterThan(1.5 * piece);
  expect(await drawn('Tile L12')).toBeGreaterThan(1.5 * piece);
  expect(errors).toEqual([]);
});

test('without the module of the rules no position is called possible', async () => {
  const { page } = await app.openPage({ at: BLANK });
  await page.route(/core\.wasm/, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${app.url}/analysis?game=${GAMES[0]}&edit=1`);
  await page.getByRole('alert').waitFor();
  expect(await page.getByText('A possible position.').count()).toBe(0);
});

test('the analysis board opens its position in the editor', async () => {
  const position = '0,0:0;1,0:0;0,1:1 0,0;1,0 R 0 0,0 0 0 -';
  const { page } = await app.openPage({
    at: `/analysis?game=potlatch&position=${encodeURIComponent(position)}`,
  });
  await page.locator('.prompt[data-ply="0"]').waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Set up position' }).click();
  await expect.poll(() => field(page).inputValue()).toBe(position);
  // The piece that the rules forbid is explained where it was put.
  await page.getByRole('radio', { name: 'Red chip, 5 left' }).click();
  await page.locator('.board .cell[data-cell="0,1"]').click({ force: true });
  await page.getByText('A coloured chip can only be the third of a stack.').first().waitFor();
});

test.each([
  ['en-US', 'base tiles: not connected'],
  ['ja-JP', 'ベースタイル'],
] as const)('faults are named in %s', async (locale, words) => {
  const at = `/analysis?game=potlatch&edit=1&position=${encodeURIComponent(EDITS.potlatch.text)}`;
  const { page } = await app.openPage({ at, locale, viewport: { width: 360, height: 740 } });
  await page.locator('.faults li', { hasText: words }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});
