/** Puzzles: right, wrong with the refutation, the solution shown, the puzzle of the day, progress. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, boxOf, screenshot, startApp, BLANK, newName, phone } from './app';
import { solve } from './lessons';
import { type GameName, GAMES } from './play';

const app = startApp();

const GAME: GameName = 'potlatch';

interface Listed {
  game: string;
  themes: { id: string }[];
  puzzles: { id: string; theme: string; level: number; turns: number }[];
}

async function puzzlesOf(game: string): Promise<Listed['puzzles']> {
  const all = (await (await fetch(`${app.url}/api/puzzles`)).json()) as Listed[];
  const { puzzles = [], themes = [] } = all.find((known) => known.game === game) ?? {};
  const place = (theme: string) => themes.findIndex(({ id }) => id === theme);
  // In the order of the list.
  return puzzles.sort(
    (one, other) =>
      one.level - other.level || one.turns - other.turns || place(one.theme) - place(other.theme),
  );
}

async function openPuzzle(page: Page, game: string, id: string): Promise<void> {
  await page.goto(`${app.url}/puzzles/${game}/${id}`);
  await page.waitForSelector('.board .cell');
}

test(
  'a puzzle is found in the list and solved by keyboard, and the next one follows',
  { tags: 'long' },
  async () => {
    const { page, errors } = await app.openPage();
    await page.goto(app.url);
    await page.getByRole('link', { name: 'Puzzles' }).click();
    const list = page.locator(`section[data-game]`);
    await page.getByLabel('Game').selectOption(GAME);
    await page.waitForSelector(`section[data-game=${GAME}]`);
    await page.getByLabel('Theme').selectOption('win-2');
    expect(await accessibilityViolations(page)).toEqual([]);
    const chosen = (await puzzlesOf(GAME)).filter(({ theme }) => theme === 'win-2');
    await list.getByText(`0 of ${chosen.length} solved`).waitFor();
    // Small boards show the positions, and the rating is that of a new player.
    await list.locator('li .board svg').first().waitFor();
    await list.getByText('1000', { exact: true }).waitFor();
    await screenshot(page, 'puzzles-desk');
    await page.getByRole('link', { name: 'Next unsolved' }).click();
    await page.waitForSelector('.board .cell');
    const first = chosen.find(({ id }) => page.url().endsWith(id));
    if (!first) throw new Error(`${page.url()} is not of this theme`);
    for (let turn = 0; turn < first.turns; turn += 1) {
      await solve(page, app.url, GAME, `puzzle-${first.id}`, turn);
      const answer = await page.locator('.answer').innerText();
      expect(answer).toContain('Well done!');
      if (turn + 1 === first.turns) expect(answer).toMatch(/Puzzle rating: 1000 → 1\d\d\d/);
      if (turn === 0) expect(await accessibilityViolations(page)).toEqual([]);
      // The next button or link has the focus.
      await page.keyboard.press('Enter');
      if (turn + 1 < first.turns)
        await page.waitForFunction(() => document.querySelector('.task')?.getAttribute('data-count') === '0');
    }
    await page.waitForURL((url) => !url.pathname.endsWith(first.id));
    await page.waitForSelector('.board .cell');
    await page.getByRole('link', { name: 'All puzzles' }).first().click();
    await list.getByText(`1 of ${chosen.length} solved`).waitFor();
    await page.reload();
    await list.getByText(`1 of ${chosen.length} solved`).waitFor();
    expect(errors).toEqual([]);
  },
);

test(
  'a wrong turn is refuted on the board and in words, and the solution can be shown',
  { tags: 'long' },
  async () => {
    // A turn that does not end the game: there is a reply to it.
    let found: { id: string; touches: string[][] } | null = null;
    for (const { id, theme, turns } of await puzzlesOf(GAME)) {
      if (found || theme !== 'save' || turns > 1) continue;
      const { touches, over } = await wrongTurn(GAME, id);
      if (!over) found = { id, touches };
    }
    if (!found) throw new Error(`${GAME} has no such puzzle`);
    const { page, errors } = await app.openPage({ at: BLANK, colorScheme: 'dark' });
    await openPuzzle(page, GAME, found.id);
    for (const touches of found.touches) {
      const before = await page.locator('.task').getAttribute('data-count');
      for (const cell of touches) {
        await page.locator(`.cell[data-cell="${cell}"]`).focus();
        await page.keyboard.press('Enter');
      }
      await page.waitForFunction(
        (count) =>
          ![count, null].includes(document.querySelector('.task')?.getAttribute('data-count') ?? null),
        before,
      );
    }
    const answer = page.locator('.answer.wrong');
    await answer.waitFor();
    expect(await answer.innerText()).toContain('Not the solution');
    expect(await accessibilityViolations(page)).toEqual([]);
    // The refutation is played again.
    const replies = () => page.locator('[role=log] p').count();
    const said = await replies();
    await page.getByRole('button', { name: 'Show me why' }).click();
    await expect.poll(replies).toBeGreaterThan(said);
    await page.getByRole('button', { name: 'Try again' }).click();
    await answer.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show the solution' }).click();
    await page.waitForSelector('.task.right');
    expect(await page.locator('.answer').innerText()).toContain('The solution');
    await page.getByRole('link', { name: 'Analysis' }).waitFor();
    await page.getByRole('link', { name: 'All puzzles' }).last().click();
    await page.getByLabel('Theme').selectOption('save');
    await page.waitForSelector('li a.missed');
    expect(errors).toEqual([]);
  },
);

/** The cells of a turn that is not the solution, found through the API. */
async function wrongTurn(game: string, id: string): Promise<{ touches: string[][]; over: boolean }> {
  const at = `${app.url}/api/games/${game}/lessons/puzzle-${id}/0`;
  type Answer = {
    status: string;
    hint: string | null;
    view: { actions: { token: string; touches: string[] }[]; outcome: unknown };
  };
  const ask = async (line: string[]) => {
    const query = new URLSearchParams(line.map((token) => ['line', token]));
    return (await (await fetch(`${at}?${query}`)).json()) as Answer;
  };
  const line: string[] = [];
  const touches: string[][] = [];
  let now = await ask([]);
  for (; now.status === 'playing'; now = await ask(line)) {
    // Cells that name one action alone.
    const { actions } = now.view;
    const { hint } = now;
    const single = actions.filter(
      ({ token, touches }) =>
        token !== hint &&
        actions.filter((other) => touches.every((cell, place) => other.touches[place] === cell)).length === 1,
    );
    const [action] = single;
    if (!action) throw new Error(`no action after ${line.join(' ')}`);
    line.push(action.token);
    touches.push(action.touches);
  }
  return { touches, over: now.view.outcome !== null };
}

test('the puzzle of the day counts the days in a row', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  const yesterday = await page.evaluate(() => {
    const date = new Date(Date.now() - 86_400_000);
    const two = (number: number) => String(number).padStart(2, '0');
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  });
  await page.evaluate(
    (last) => localStorage.setItem('tavola.puzzles.streak', JSON.stringify({ last, days: 4, longest: 4 })),
    yesterday,
  );
  await page.goto(`${app.url}/puzzles`);
  const daily = page.locator('.daily');
  await daily.getByText('Days in a row: 4', { exact: true }).waitFor();
  const path = (await daily.locator('a').getAttribute('href')) ?? '';
  const [, , game = '', id = ''] = path.split('/');
  const turns = (await puzzlesOf(game)).find((one) => one.id === id)?.turns ?? 0;
  await daily.locator('a').click();
  for (let turn = 0; turn < turns; turn += 1) {
    await page.waitForSelector('.board .cell');
    await solve(page, app.url, game, `puzzle-${id}`, turn);
    if (turn + 1 < turns) {
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('.task')?.getAttribute('data-count') === '0');
    }
  }
  await page.goto(`${app.url}/puzzles`);
  await daily.getByText('Days in a row: 5', { exact: true }).waitFor();
  await daily.getByText('Solved today').waitFor();
  expect(errors).toEqual([]);
});

test(
  'progress is in the account on every device, also what was solved without the network',
  { tags: 'long' },
  async () => {
    const [first, second, third] = (await puzzlesOf(GAME)).filter(({ turns }) => turns === 1);
    if (!first || !second || !third) throw new Error(`${GAME} has too few puzzles`);
    const here = await app.openPage({ at: BLANK });
    const there = await app.openPage({ at: BLANK });
    const solveOn = async ({ page }: { page: Page }, id: string) => {
      await openPuzzle(page, GAME, id);
      await solve(page, app.url, GAME, `puzzle-${id}`, 0);
    };
    const solvedOn = async ({ page }: { page: Page }, ...ids: string[]) => {
      await page.goto(`${app.url}/puzzles`);
      await page.getByLabel('Game').selectOption(GAME);
      for (const { id } of [first, second, third])
        await page
          .locator(`li a.solved[href$="${id}"]`)
          .waitFor({ state: ids.includes(id) ? 'attached' : 'detached' });
    };

    // Solved before there is an account.
    const sofia = newName('Sofia');
    await solveOn(here, first.id);
    await solvedOn(here, first.id);
    await here.page.getByText('Your progress is stored in this browser.').waitFor();
    await here.page.getByRole('link', { name: 'Sign in to have it on every device.' }).click();
    await here.page.getByText('Create account').first().click();
    await here.page.getByLabel('Username').fill(sofia);
    await here.page.getByLabel('Password', { exact: true }).fill('correct horse');
    await here.page.getByRole('button', { name: 'Create account' }).click();
    await here.page.getByRole('heading', { name: sofia }).waitFor();
    await solvedOn(here, first.id);
    await here.page.getByText('Your progress is stored in your account.').waitFor();
    expect(await accessibilityViolations(here.page)).toEqual([]);

    // Another device brings what it has, and shows what the account has.
    await solveOn(there, second.id);
    await there.page.goto(`${app.url}/account`);
    await there.page.getByLabel('Username').fill(sofia);
    await there.page.getByLabel('Password', { exact: true }).fill('correct horse');
    await there.page.getByRole('button', { name: 'Sign in' }).click();
    await there.page.getByRole('heading', { name: sofia }).waitFor();
    await solvedOn(there, first.id, second.id);

    // Without the server a puzzle is solved, and sent when the network is back.
    await openPuzzle(there.page, GAME, third.id);
    await there.page.route('**/api/account/**', (route) => route.abort());
    await solve(there.page, app.url, GAME, `puzzle-${third.id}`, 0);
    await there.page.getByRole('link', { name: 'All puzzles' }).first().click();
    await there.page.getByText("Some progress isn't in your account yet.").waitFor();
    expect(await accessibilityViolations(there.page)).toEqual([]);
    await solvedOn(here, first.id, second.id);
    await there.page.unroute('**/api/account/**');
    const sent = there.page.waitForResponse('**/api/account/puzzles');
    await there.page.evaluate(() => dispatchEvent(new Event('online')));
    await sent;
    await there.page.getByText('Your progress is stored in your account.').waitFor();
    await solvedOn(here, first.id, second.id, third.id);

    // Signed out, the browser shows nothing of it.
    await here.page.goto(`${app.url}/account`);
    await here.page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await here.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await solvedOn(here);
    expect(here.errors).toEqual([]);
  },
);

test('a rush counts what is solved and missed, and ends', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await page.clock.install();
  await page.goto(`${app.url}/puzzles/${GAME}/rush`);
  await page.waitForSelector('.board .cell');
  await page
    .getByRole('timer')
    .getByText(/^[23]:/)
    .waitFor();
  expect(await page.getByRole('button', { name: 'Show the solution' }).count()).toBe(0);
  expect(await accessibilityViolations(page)).toEqual([]);
  await screenshot(page, 'rush-desk');
  await page.clock.runFor(181_000);
  await page.getByText('Puzzles solved: 0').waitFor();
  await page.getByRole('button', { name: 'Play again' }).click();
  await page.waitForSelector('.board .cell');
  expect(errors).toEqual([]);
});

test('on a landscape phone a puzzle with a card has room for board and task', async () => {
  const [first] = await puzzlesOf('passtally');
  const { page, errors } = await app.openPage({ at: BLANK, ...phone(844, 390) });
  await openPuzzle(page, 'passtally', first?.id ?? '');
  expect((await boxOf(page.locator('.board'))).height).toBeGreaterThan(300);
  expect((await boxOf(page.locator('.ask'))).height).toBeGreaterThan(150);
  // A dark page is printed light.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
  expect(errors).toEqual([]);
});

test('a puzzle that does not exist leads to the list', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: `/puzzles/${GAME}/000000` });
  await page.getByRole('alert').waitFor();
  await page.getByRole('link', { name: 'All puzzles' }).click();
  await page.waitForSelector('section[data-game]');
});

test.each(GAMES)('puzzles of %s are solved by keyboard and shown', { tags: 'long' }, async (game) => {
  const themes = new Map((await puzzlesOf(game)).map((one) => [one.theme, one]));
  const { page, errors } = await app.openPage({ at: BLANK });
  for (const { id } of themes.values()) {
    await openPuzzle(page, game, id);
    await solve(page, app.url, game, `puzzle-${id}`, 0);
  }
  expect(errors).toEqual([]);
});

test.each(['en', 'ja'])('puzzles fit phones (%s)', { tags: 'long' }, async (locale) => {
  for (const game of GAMES) {
    const { page } = await app.openPage({
      locale,
      ...phone(360, 740),
    });
    const [first] = await puzzlesOf(game);
    const list = game === GAME ? ['/puzzles'] : [];
    for (const path of [...list, `/puzzles/${game}/${first?.id ?? ''}`]) {
      await page.goto(`${app.url}${path}`);
      await page.waitForSelector('section');
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360);
      expect(await accessibilityViolations(page), path).toEqual([]);
    }
    await page.context().close();
  }
});
