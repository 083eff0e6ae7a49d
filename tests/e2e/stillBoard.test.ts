/** The board stands still while a player takes a turn: texts and buttons have their places. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startApp, BLANK } from './app';
import { lessonsOf, openLesson } from './lessons';
import {
  canConfirm,
  confirm,
  type GameName,
  GAMES,
  openGame,
  openMatchWhen,
  type Position,
  seededRandom,
  selectRandom,
  waitForTurn,
} from './play';

const app = startApp();

const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
];

interface Places {
  /** The seat to act. */
  turn: string;
  /** The panel that is shown. */
  panel: string;
  cells: Record<string, { x: number; y: number }>;
}

/** The places of the cells, when everything is drawn. */
const places = (page: Page): Promise<Places> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
    const hits = [...document.querySelectorAll('.board .cell .hit')].filter((hit) => !hit.closest('.popup'));
    return {
      turn: document.querySelector('.seat.acting strong')?.textContent ?? '',
      panel: document.querySelector('.tabs [aria-selected=true]')?.textContent ?? '',
      cells: Object.fromEntries(
        hits.map((hit) => {
          const { x, y } = hit.getBoundingClientRect();
          return [hit.closest('[data-cell]')?.getAttribute('data-cell') ?? '', { x, y }];
        }),
      ),
    };
  });

/** Acts, and compares the places of the cells before and after. */
async function still(page: Page, act: () => Promise<unknown>): Promise<void> {
  const before = await places(page);
  await act();
  const after = await places(page);
  // Another panel, a board with more cells, or one at the beginning of a turn may be fitted again.
  const grown = Object.keys(after.cells).some((cell) => before.cells[cell] === undefined);
  if (after.panel !== before.panel || after.turn !== before.turn || grown) return;
  const moved = Object.entries(after.cells).flatMap(([cell, { x, y }]) => {
    const was = before.cells[cell] ?? { x, y };
    const far = Math.hypot(x - was.x, y - was.y);
    return far > 1 ? [`${cell}: ${far.toFixed(1)} px`] : [];
  });
  expect(moved).toEqual([]);
}

const turnOf = (page: Page) => page.locator('.seat.acting strong').textContent();

/** Actions before the middle of a game. */
const MIDDLE: Record<GameName, number> = { montana: 20, passtally: 12, potlatch: 9, proteus: 20 };

/** Plays a turn, and asserts that the board stands still. */
async function playTurn(page: Page): Promise<void> {
  const [roll, first] = [seededRandom(5), await turnOf(page)];
  for (let step = 0; step < 16 && (await turnOf(page)) === first; step += 1) {
    await still(page, async () => {
      await waitForTurn(page);
      if (await page.locator('.menu').isVisible()) await page.locator('.menu button').nth(1).click();
      else if (await canConfirm(page)) await confirm(page);
      else await selectRandom(page, roll);
    });
  }
}

const inMatch = async (game: GameName): Promise<void> => {
  for (const viewport of SIZES) {
    const { page } = await app.openPage({ at: BLANK, viewport });
    await openGame(page, app.url, 'person', game);
    // The reason for a rejection, and "Why not this?" with its answer.
    await still(page, async () => {
      await page.locator('.cell:not(.touchable)').last().click({ force: true });
      await page.locator('.rejection').waitFor();
    });
    await still(page, () => page.locator('.rejection .close').click());
    await still(page, () => page.keyboard.press('w'));
    await page.locator('.why-not.open').waitFor();
    await still(page, () => page.keyboard.press('w'));
    // A seat with more kinds of goods than fit in a row.
    await still(page, () =>
      page
        .locator('.seat.many .counters')
        .evaluateAll((all) =>
          all.forEach((one) =>
            one.append(...Array.from({ length: 14 }, () => one.lastElementChild?.cloneNode(true) ?? '')),
          ),
        ),
    );
    const unreachable = () =>
      page
        .locator('.seat.many .counters')
        .evaluateAll(
          (all) => all.filter((one) => one.scrollHeight > one.clientHeight && one.tabIndex < 0).length,
        );
    await expect.poll(unreachable).toBe(0);
    await playTurn(page);
    // In the middle of the game, too: its actions are others than those of the opening.
    let played = 0;
    const next = ({ view: { actions } }: Position) =>
      (played += 1) > MIDDLE[game] ? null : (actions[(played * 7919) % actions.length]?.token ?? null);
    await openMatchWhen(page, app.url, game, next, true);
    await playTurn(page);
  }
};

const puzzleOf = async (game: GameName): Promise<string> => {
  const all = (await (await fetch(`${app.url}/api/puzzles`)).json()) as {
    game: string;
    puzzles: { id: string }[];
  }[];
  return all.find((one) => one.game === game)?.puzzles[0]?.id ?? '';
};

const inLesson = async (game: GameName, puzzle: boolean): Promise<void> => {
  const [lesson] = await lessonsOf(app.url, game);
  for (const viewport of SIZES) {
    const { page } = await app.openPage({ at: BLANK, viewport });
    if (puzzle) {
      await page.goto(`${app.url}/puzzles/${game}/${await puzzleOf(game)}`);
      await page.waitForSelector('.board .cell');
    } else await openLesson(page, app.url, game, lesson?.id ?? '');
    // Until the turn is judged.
    for (let step = 0; step < 6 && (await page.locator('.cell.touchable').count()) > 0; step += 1)
      await still(page, () => page.locator('.cell.touchable').first().click({ force: true }));
  }
};

const title = '%s: no cell moves during a turn';
test.each(GAMES)(title, { tags: 'long' }, inMatch);

for (const [what, puzzle] of [
  ['lesson', false],
  ['puzzle', true],
] as const) {
  const inLessons = `%s: no cell moves during a turn of a ${what}`;
  const play = (game: GameName) => inLesson(game, puzzle);
  test.each(GAMES)(inLessons, { tags: 'long' }, play);
}
