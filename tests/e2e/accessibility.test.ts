/** Accessibility of the screens of each game, light and dark. */
import { expect, test } from 'vitest';
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

/** Walks through the screens of a game, and looks at each in both colour schemes. */
const axeFindsNothing = async (game: GameName): Promise<void> => {
  const { page, errors } = await app.openPage();
  const look = async (what: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // In the dark only the colours differ; the light covers everything else.
      const colours = colorScheme === 'dark';
      expect(await accessibilityViolations(page, undefined, { colours }), `${what}, ${colorScheme}`).toEqual(
        [],
      );
    }
  };
  // Start page and dialogs look the same in every game; tests of the layout look at each rule book.
  const all = game === SHORT;
  if (all) await look('start');
  await openSetup(page, game, true);
  await look('setup');
  await page.keyboard.press('Escape');
  await startGame(page, 'person', game);
  const roll = seededRandom(4);
  await playRandomAction(page, roll);
  await look('match');
  while (!(await canConfirm(page))) await playRandomAction(page, roll);
  await page.keyboard.press('h');
  await look('turn complete');
  if (all) {
    for (const [key, what] of [
      ['i', '.book h1, .book h2'],
      ['?', 'dialog kbd'],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForSelector(what);
      await look(what);
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
    }
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.waitForSelector('dialog');
    await look('settings');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
  }
  // While the turn waits for its confirmation nothing can be selected: that is explained.
  const cells = page.locator('.cell');
  await cells.nth(Math.floor((await cells.count()) / 2)).click({ force: true });
  await page.waitForSelector('.rejection');
  await look('remark');
  expect(errors).toEqual([]);
};

test.each(GAMES)('%s: axe finds no violations (light and dark)', { tags: 'long' }, axeFindsNothing);
