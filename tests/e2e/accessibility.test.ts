/** Accessibility of the screens of each game, light and dark. */
import { describe, expect, test } from 'vitest';
import { accessibilityViolations, startApp } from './app';
import {
  canConfirm,
  type GameName,
  GAMES,
  openSetup,
  playRandomAction,
  seededRandom,
  startGame,
  SHORT,
} from './play';

const app = startApp();

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  const axeFindsNothing = async (game: GameName): Promise<void> => {
    const { page, errors } = await app.openPage({ colorScheme });
    // Start page and dialogs look the same in every game; tests of the layout look at each rule book.
    const all = game === SHORT;
    if (all) expect(await accessibilityViolations(page), 'start').toEqual([]);
    await openSetup(page, game, true);
    expect(await accessibilityViolations(page), 'setup').toEqual([]);
    await page.keyboard.press('Escape');
    await startGame(page, 'person', game);
    const roll = seededRandom(4);
    await playRandomAction(page, roll);
    expect(await accessibilityViolations(page), 'match').toEqual([]);
    while (!(await canConfirm(page))) await playRandomAction(page, roll);
    await page.keyboard.press('h');
    expect(await accessibilityViolations(page), 'turn complete').toEqual([]);
    if (all) {
      for (const [key, what] of [
        ['i', '.book h1, .book h2'],
        ['?', 'dialog kbd'],
      ] as const) {
        await page.keyboard.press(key);
        await page.waitForSelector(what);
        expect(await accessibilityViolations(page), what).toEqual([]);
        await page.keyboard.press('Escape');
        await page.waitForSelector('dialog', { state: 'detached' });
      }
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.waitForSelector('dialog');
      expect(await accessibilityViolations(page), 'settings').toEqual([]);
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
    }
    // While the turn waits for its confirmation nothing can be selected: that is explained.
    const cells = page.locator('.cell');
    await cells.nth(Math.floor((await cells.count()) / 2)).click({ force: true });
    await page.waitForSelector('.popover');
    expect(await accessibilityViolations(page), 'remark').toEqual([]);
    expect(errors).toEqual([]);
  };

  const isShort = (game: GameName) => colorScheme === 'light' && game === SHORT;
  const axe = '%s: axe finds no violations';
  test.each(GAMES.filter(isShort))(axe, axeFindsNothing);
  test.each(GAMES.filter((game) => !isShort(game)))(axe, { tags: 'long' }, axeFindsNothing);
});
