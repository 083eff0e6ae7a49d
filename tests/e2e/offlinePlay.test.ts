/** Everything that the core in the browser does also works without the network. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, startApp } from './app';
import { openLesson, playLine, solve } from './lessons';
import { menuEntry, openMenu } from './menu';
import {
  actions,
  canConfirm,
  card,
  confirm,
  type GameName,
  isOver,
  openSetup,
  playRandomAction,
  resign,
  seededRandom,
  waitForTurn,
  GAMES,
} from './play';

const app = startApp();

/** A puzzle with the wrong turns that the core in the browser judges. */
interface Judged {
  id: string;
  steps: { wrong: { play: string; reply: string; why: Record<'en' | 'ja', string> }[] }[];
}

/** The puzzles of a game, as `GET /api/puzzles` lists them. */
interface ListedPuzzles {
  game: string;
  puzzles: { id: string; level: number }[];
}

/** Opens the start page, waits until the browser has stored everything, and cuts the network. */
async function openWithoutNetwork() {
  const opened = await app.openPage({ serviceWorkers: 'allow' });
  const { page } = opened;
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state !== 'activated')
      await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }));
  });
  await page.context().setOffline(true);
  return opened;
}

/** Plays until a number of actions is listed or the game is over. */
async function playOn(page: Page, count: number, roll: (sides: number) => number): Promise<void> {
  for (let tries = 0; tries < 400 && !(await isOver(page)) && (await actions(page)) < count; tries += 1) {
    if (await canConfirm(page)) await confirm(page);
    else await playRandomAction(page, roll);
    await waitForTurn(page);
  }
}

/** Starts a game against level 1 from the set-up of the start page. */
async function startOnDevice(page: Page, game: GameName): Promise<void> {
  await page.goto(app.url);
  await openSetup(page, game);
  await page.locator('dialog .levels label').first().click();
  const here = page.getByRole('checkbox', { name: /on this device/ });
  await here.waitFor();
  // The server does not answer: nothing is left to choose.
  expect(await here.isDisabled()).toBe(true);
  expect(await here.isChecked()).toBe(true);
  await page.locator('dialog button[type=submit]').click();
  await page.waitForURL('**/match/device-*');
  await page.waitForSelector('.board .cell');
  await waitForTurn(page);
}

/** A wrong turn in a puzzle other than the solved one is refuted; the puzzle is solved at the second try. */
const refuted = async (page: Page, game: GameName, solved: string): Promise<void> => {
  const puzzles = (await (await fetch(`${app.url}/api/games/${game}/puzzles`)).json()) as Judged[];
  // With a reply on the board, where the game has such a puzzle.
  const others = puzzles.filter(({ id }) => id !== solved);
  const tries = others.flatMap(({ id, steps: [step] }) => (step?.wrong ?? []).map((one) => ({ id, ...one })));
  const tried = tries.find(({ reply }) => reply) ?? tries[0];
  if (!tried) throw new Error(`${game} has no wrong turns`);
  await page.goto(`${app.url}/puzzles/${game}/${tried.id.replace('puzzle-', '')}`);
  await page.waitForSelector('.board .cell');
  await playLine(page, app.url, game, tried.id, tried.play.split(' '));
  const answer = page.locator('.answer.wrong');
  await answer.getByText(tried.why.en).waitFor();
  // The reply is played, and named.
  expect(await answer.getByText(/ replies: /).count()).toBe(tried.reply ? 1 : 0);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await answer.waitFor({ state: 'detached' });
  await solve(page, app.url, game, tried.id, 0);
  await page.goto(`${app.url}/puzzles`);
  const id = tried.id.replace('puzzle-', '');
  const listed = (await (await fetch(`${app.url}/api/puzzles`)).json()) as ListedPuzzles[];
  const level = listed.find((one) => one.game === game)?.puzzles.find((one) => one.id === id)?.level;
  await page.getByLabel('Level').selectOption(String(level));
  const missed = page.locator(`li a.missed[href$="${id}"]`);
  await page.locator('ol li').first().waitFor();
  while ((await missed.count()) === 0) await page.getByRole('button', { name: 'Show more' }).click();
  await missed.waitFor();
};

const everything = async (game: GameName): Promise<void> => {
  const { page } = await openWithoutNetwork();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  const roll = seededRandom(7);

  await startOnDevice(page, game);
  await page.getByRole('button', { name: 'Hint', exact: true }).click();
  await page.locator('.advice p').first().waitFor();
  await playOn(page, 6, roll);
  const played = await actions(page);
  expect(played).toBeGreaterThan(3);
  expect(await accessibilityViolations(page)).toEqual([]);

  // A reload loses nothing.
  await page.reload();
  await page.waitForSelector('.board .cell');
  await waitForTurn(page);
  expect(await actions(page)).toBe(played);
  if (!(await isOver(page))) await resign(page);
  await page.getByRole('link', { name: 'Analyse this game' }).click();
  await page.waitForURL('**/analysis?id=*&review=1');
  await page.getByRole('region', { name: 'Luck and skill' }).waitFor();
  await page.waitForSelector('.board .cell');
  expect(await page.locator('.tree .move, .tree button').count()).toBeGreaterThan(3);

  await openLesson(page, app.url, game, 'first');
  await solve(page, app.url, game, 'first', 0);

  await page.goto(`${app.url}/puzzles`);
  await page.getByLabel('Game').selectOption(game);
  await page.getByRole('link', { name: 'Next unsolved' }).click();
  await page.waitForSelector('.board .cell');
  const puzzle = `puzzle-${page.url().split('/').at(-1) ?? ''}`;
  await solve(page, app.url, game, puzzle, 0);
  await refuted(page, game, puzzle);

  // The game stays in the list when the network is back.
  await page.context().setOffline(false);
  await page.goto(`${app.url}/matches`);
  await page.getByRole('heading', { name: 'Finished' }).waitFor();
  expect(await page.locator('a[href*="/match/device-"]').count()).toBe(1);
  expect(problems).toEqual([]);
};

const playedOffline = '%s is played, analysed, learnt and solved without the network';
test.each(GAMES)(playedOffline, { tags: 'long' }, everything);

test('"Why not this?" is answered without the network', { tags: 'long' }, async () => {
  const { page } = await openWithoutNetwork();
  await startOnDevice(page, 'potlatch');
  const roll = seededRandom(5);
  await playRandomAction(page, roll);
  for (let tries = 0; tries < 10 && (await canConfirm(page)); tries += 1) await confirm(page);
  await waitForTurn(page);
  const played = await actions(page);
  await page.keyboard.press('w');
  const panel = page.locator('.why-not');
  await panel.locator('.last').click();
  await panel.getByText(/As good as|Lowers the chances|Loses by force/).waitFor();
  // Any legal action, which is not played.
  for (let press = 0; press < 6 && !(await panel.locator('.answer .first').isVisible()); press += 1) {
    await page.locator('.board .cell.touchable').first().focus();
    await page.keyboard.press('Enter');
  }
  await panel.getByText(/As good as|Lowers the chances|Loses by force/).waitFor();
  expect(await actions(page)).toBe(played);
  expect(await accessibilityViolations(page)).toEqual([]);
});

test(
  'an unfinished game on this device is reviewed without the network, and again after more actions',
  { tags: 'long' },
  async () => {
    const { page } = await openWithoutNetwork();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    const roll = seededRandom(5);
    await startOnDevice(page, 'potlatch');
    await playOn(page, 4, roll);
    const played = await actions(page);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Analyse this game' }).click();
    await page.waitForURL('**/analysis?id=*&review=1');
    const review = page.getByRole('region', { name: 'Review game' });
    // The review has begun by itself; it stops and continues.
    await review.getByRole('progressbar').waitFor();
    await review.getByRole('button', { name: 'Stop' }).click();
    await review.getByRole('progressbar').waitFor({ state: 'detached' });
    await review.getByRole('button', { name: 'Evaluate main line' }).click();
    await review.getByText('Review complete').waitFor({ state: 'attached', timeout: 60_000 });
    await review.getByRole('img', { name: 'Win chances over the game' }).waitFor();
    await review.getByRole('region', { name: 'Luck and skill' }).waitFor();
    const moves = page.locator('.tree .entry button');
    expect(await moves.count()).toBe(played + 1);
    expect(await accessibilityViolations(page)).toEqual([]);
    // The game continues, and the list opens the same analysis with the further actions.
    await page.goBack();
    await page.waitForURL('**/match/device-*');
    await waitForTurn(page);
    await playOn(page, played + 2, roll);
    const longer = await actions(page);
    expect(longer).toBeGreaterThan(played);
    await page.goto(`${app.url}/matches`);
    await page.getByRole('link', { name: /^Analyse this game: / }).click();
    await page.waitForURL('**/analysis?id=*&review=1');
    await expect.poll(() => moves.count()).toBe(longer + 1);
    await review.getByText('Review complete').waitFor({ state: 'attached', timeout: 60_000 });
    expect(problems).toEqual([]);
  },
);

test('a game on this device is undone, ends and is played again', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage();
  await openSetup(page, 'potlatch');
  await page.locator('dialog .levels label').first().click();
  await page.getByRole('checkbox', { name: /on this device/ }).check();
  await page.locator('dialog button[type=submit]').click();
  await page.waitForURL('**/match/device-*');
  await waitForTurn(page);
  const roll = seededRandom(3);
  await playRandomAction(page, roll);
  expect(await actions(page)).toBe(1);
  await page.locator('.prompt .undo').click();
  await page.waitForFunction(() => document.querySelectorAll('.moves .entry').length === 0);
  await playOn(page, 1000, roll);
  expect(await isOver(page)).toBe(true);
  await openMenu(page);
  const save = await menuEntry(page, 'Download game record');
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(download.suggestedFilename()).toMatch(/^potlatch-device-.*\.txt$/);
  await page.keyboard.press('Escape');
  const before = page.url();
  await page.getByRole('button', { name: 'Play again' }).click();
  await page.waitForFunction((url) => location.href !== url, before);
  expect(page.url()).toContain('/match/device-');
  await waitForTurn(page);
  expect(await actions(page)).toBe(0);
  // Elsewhere the address leads nowhere.
  const other = await app.openPage();
  await other.page.goto(before);
  await other.page.getByRole('alert').waitFor();
  expect(await other.page.getByRole('alert').textContent()).toMatch(/not found/);
  expect(errors).toEqual([]);
});

test('the quick start of a game works without the network, too', { tags: 'long' }, async () => {
  const { page } = await openWithoutNetwork();
  await page.goto(app.url);
  await card(page, 'proteus').locator('.ways button').nth(1).click();
  await page.waitForURL('**/match/device-*');
  await waitForTurn(page);
});
