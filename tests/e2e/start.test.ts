/** The start page, the set-up of a game, and the list of moves in words. */
import { expect, test } from 'vitest';
import { accessibilityViolations, screenshot, startApp, BLANK } from './app';
import { lessonsOf } from './lessons';
import { card, GAMES, openGame, openMatchAfter, openSetup, playRandomAction, seededRandom } from './play';

const app = startApp();

test('a newcomer is offered one thing to do first: a lesson of five minutes', async () => {
  const { page, errors } = await app.openPage();
  const strong = page.locator('main .button.strong');
  await expect.poll(() => strong.count()).toBe(1);
  expect(await strong.innerText()).toMatch(/^Learn .+ in 5 minutes$/);
  // Each game offers its lesson before a game, and shows a position from the middle of a game.
  for (const game of GAMES) {
    expect(await card(page, game).locator('.ways > *').first().innerText()).toBe('Learn in 5 minutes');
    // The art of a game comes when its card is near.
    await card(page, game).scrollIntoViewIfNeeded();
    await expect.poll(() => card(page, game).locator('.picture use').count()).toBeGreaterThan(10);
  }
  await screenshot(page, 'start');
  expect(await accessibilityViolations(page)).toEqual([]);
  await strong.click();
  await page.waitForSelector('.task');
  expect(errors).toEqual([]);
});

test('a third player is like the second, before the server has answered', async () => {
  const { page, errors } = await app.openPage();
  await openSetup(page, 'passtally', true);
  await page.getByLabel('Friend by link').check({ force: true });
  await page.route('**/api/**/preview*', () => null);
  await page.getByLabel('3 players', { exact: true }).check({ force: true });
  const seats = page.locator('dialog label.seat select');
  await expect.poll(() => seats.count()).toBe(3);
  expect(await seats.last().inputValue()).toBe('link');
  expect(await page.getByLabel('Friend by link').isChecked()).toBe(true);
  expect(errors).toEqual([]);
});

test('the games come in one order, the lightest first, and a phone shows them briefly', async () => {
  const { page, errors } = await app.openPage({ viewport: { width: 360, height: 740 } });
  const order = ['potlatch', 'passtally', 'proteus', 'montana'];
  const named = () =>
    page.locator('[data-game]').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['game']));
  expect(await named()).toEqual(order);
  expect(await card(page, 'potlatch').locator('.facts').innerText()).toBe(
    '2 players · 10 min · no luck · easy',
  );
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1600);
  expect(await accessibilityViolations(page)).toEqual([]);
  await screenshot(page, 'start-phone');
  await page.goto(`${app.url}/learn`);
  await page.locator('section[data-game]').first().waitFor();
  expect(await named()).toEqual(order);
  expect(errors).toEqual([]);
});

test('the main button of a card follows what the visitor did before', async () => {
  const { page } = await app.openPage({ at: BLANK });
  const lead = card(page, 'potlatch').locator('.lead');
  const shows = async (text: RegExp) => {
    await page.goto(app.url);
    await expect.poll(() => lead.allInnerTexts()).toEqual([expect.stringMatching(text)]);
  };
  await shows(/^Learn in \d+ minutes$/);
  const [first] = await lessonsOf(app.url, 'potlatch');
  await page.evaluate((done) => localStorage.setItem('tavola.lessons', JSON.stringify(done)), {
    [`potlatch/${first?.id}`]: first?.steps.length,
  });
  await shows(/^Continue learning 1\/\d+$/);
  expect(await page.getByText('New here?').count()).toBe(0);
  await openGame(page, app.url, 'engine', 'potlatch');
  await shows(/^Play level \d$/);
});

test('the last unfinished game comes first, with its position', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openGame(page, app.url, 'person', 'proteus');
  await playRandomAction(page, seededRandom(3));
  await page
    .getByRole('link', { name: /Start|Tavola/ })
    .first()
    .click();
  const next = page.locator('.next');
  await next.getByRole('heading', { name: 'Proteus' }).waitFor();
  await next.locator('.picture svg[role=img]').waitFor();
  expect(await page.locator('main .button.strong').count()).toBe(1);
  expect(await card(page, 'proteus').getByText('Learn in 5 minutes').count()).toBe(0);
  await next.getByRole('link', { name: 'Continue game' }).click();
  await page.waitForSelector('.board .cell');
  expect(errors).toEqual([]);
});

test('against the computer one sees level, seat and time; the level says what it overlooks', async () => {
  const { page, errors } = await app.openPage();
  await openSetup(page, 'potlatch');
  const form = page.locator('dialog form');
  const words = form.locator('.words');
  expect(await form.locator('select:visible').count()).toBe(1);
  const said = new Set<string>();
  for (let level = 0; level < 8; level += 1) {
    await form.locator('.levels label').nth(level).click();
    said.add(await words.innerText());
  }
  expect(said.size).toBe(8);
  expect([...said][0]).toMatch(/beginner.*may miss even an immediate one.*Often/);
  // The differences from the default are named where the settings are.
  const more = form.locator('summary');
  expect(await more.innerText()).toContain('Standard rules');
  await more.click();
  await form.getByText('3 actions').first().click();
  await expect.poll(() => more.innerText()).toMatch(/3 actions/);
  await more.click();
  await form.locator('.levels label').first().click();
  await form.getByText('Blue', { exact: true }).first().click();
  await form.locator('button[type=submit]').click();
  await page.waitForSelector('.board .cell');
  await page.locator('section.seat', { hasText: 'Red' }).getByText('Computer level 1').waitFor();
  expect(errors).toEqual([]);
});

test('the number of players is chosen in front', async () => {
  const { page } = await app.openPage();
  await openSetup(page, 'montana');
  await page.locator('dialog').getByText('4 players').first().click();
  await page.waitForFunction(() => document.querySelectorAll('dialog label.seat').length === 4);
});

test('the list of moves speaks in pieces and words, and marks an entry on the board', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openMatchAfter(page, app.url, 'potlatch', ['Psw', 'Pse']);
  const entry = page.locator('.moves .entry button');
  await expect.poll(() => entry.count()).toBe(2);
  const plain = entry.first().locator('.plain');
  expect(await plain.innerText()).toContain('↙');
  expect(await plain.innerText()).not.toMatch(/-?\d,-?\d/);
  expect(await entry.first().locator('svg use').count()).toBe(1);
  await entry.first().hover();
  await page.locator('.board .pointed path').first().waitFor();
  await page.mouse.move(5, 5);
  await page.locator('.board .pointed').waitFor({ state: 'detached' });
  // By keyboard, from the last entry on.
  await page.locator('.moves ol').focus();
  await page.keyboard.press('ArrowUp');
  await page.locator('.board .pointed path').first().waitFor();
  await page.keyboard.press('ArrowUp');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('↙');
  // With coordinates the cells are named on the board, too.
  await page.getByRole('button', { name: 'Show coordinates' }).click();
  await expect.poll(() => entry.first().innerText()).toMatch(/-?\d,-?\d/);
  expect(await page.locator('.board text.name').count()).toBeGreaterThan(3);
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('hints come in stages: the place, then the action with its reasons', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await openGame(page, app.url, 'engine', 'potlatch');
  const hint = page.locator('.hint');
  await hint.getByRole('button', { name: 'Hint' }).click();
  // All actions are of one kind, so the stage that names it is skipped.
  await page.locator('.board .pointed.hint path').first().waitFor();
  expect(await page.locator('.board .pointed .head').count()).toBe(0);
  await hint.getByRole('button', { name: 'Next hint' }).click();
  await hint.getByText(/computer gives you a \d+% chance|wins by force/).waitFor();
  expect(await hint.getByRole('button').count()).toBe(0);
  expect(await accessibilityViolations(page)).toEqual([]);
  // A hint ends with the position.
  await playRandomAction(page, seededRandom(2));
  await page.locator('.board .pointed').waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('against other people there are no hints', { tags: 'long' }, async () => {
  const { page } = await app.openPage();
  await card(page, 'potlatch').getByRole('button', { name: 'Play with a friend' }).click();
  await page.waitForSelector('.board .cell.touchable');
  expect(await page.locator('.hint').count()).toBe(0);
});

test.each([
  ['en', [320, 768]],
  ['ja', [320, 360, 1440]],
] as const)(
  'start page and set-up fit phones and wider screens (%s)',
  { tags: 'long' },
  async (locale, widths) => {
    const { page } = await app.openPage({ locale });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 740 });
      const fits = async (what: string) =>
        expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBeLessThanOrEqual(
          width,
        );
      await fits('start');
      expect(await accessibilityViolations(page), 'start').toEqual([]);
      for (const game of GAMES) {
        await openSetup(page, game, true);
        await fits(game);
        const wider = await page.locator('dialog *').evaluateAll((all) =>
          all
            .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
            .filter((one) => getComputedStyle(one).overflowX !== 'visible')
            .map(({ tagName, className }) => `${tagName} ${String(className)}`),
        );
        expect(
          wider.filter((one) => !one.startsWith('SELECT')),
          game,
        ).toEqual([]);
        await page.keyboard.press('Escape');
      }
    }
  },
);

test('an address without a page, and a game that there is not, are named as such', async () => {
  const { page, errors } = await app.openPage({ at: '/no-such-page' });
  const said = page.getByRole('alert');
  expect(await said.innerText()).toBe('There is no page at this address.');
  await screenshot(page, 'unknown-page');
  expect(await accessibilityViolations(page)).toEqual([]);
  for (const path of [
    '/live/chess',
    '/rules/chess',
    '/learn/chess/first',
    '/puzzles/chess/1',
    '/puzzles/chess/rush',
  ]) {
    await page.goto(app.url + path);
    await expect
      .poll(() => said.allInnerTexts(), { message: path })
      .toEqual(['There is no game named chess.']);
  }
  await page.getByRole('link', { name: 'All games' }).click();
  await page.waitForSelector('[data-game]');
  expect(errors.filter((text) => !text.includes('404'))).toEqual([]); // of the games that there are not
});
