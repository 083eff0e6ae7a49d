/** The hands of a person at a table. */
import type { Page } from 'playwright-core';

/** The games, as `GET /api/games` lists them. */
export const GAMES = ['montana', 'passtally', 'potlatch', 'proteus'] as const;
export type GameName = (typeof GAMES)[number];

/** The card of a game on the start page. */
export const card = (page: Page, game: GameName) => page.locator(`article[data-game=${game}]`);

/** Begins a game of four on the start page: a person against three engines of the first level. */
export async function startFourPlayerGame(page: Page, game: GameName): Promise<void> {
  await card(page, game).locator('.more .button').first().click();
  await page.locator('dialog').getByText('4 players').first().click();
  const seats = page.locator('dialog label.seat select');
  await page.waitForFunction(() => document.querySelectorAll('dialog label.seat').length === 4);
  await seats.nth(0).selectOption('person');
  for (const seat of [1, 2, 3]) await seats.nth(seat).selectOption('1');
  await page.locator('dialog button[type=submit]').click();
  await page.waitForSelector('.board .cell');
  await waitForTurn(page);
}

/** Begins a game on the start page: two people, or one against an engine of the first level. */
export async function startGame(
  page: Page,
  against: 'person' | 'engine',
  game: GameName = 'potlatch',
): Promise<void> {
  if (against === 'person') {
    await card(page, game).locator('.ways .button').nth(1).click();
  } else {
    await card(page, game).locator('.more .button').first().click();
    await page.locator('dialog select').nth(1).selectOption('1');
    await page.locator('dialog button[type=submit]').click();
  }
  await page.waitForSelector('.board .cell');
  await waitForTurn(page);
}

/** What the server says of a match, as far as it is needed to play it without a browser. */
export interface Position {
  seq: number;
  acting: number;
  status: string;
  view: {
    seats: { counters: { id: string; value: number }[] }[];
    actions: { token: string; kind: string; touches: string[]; preview?: unknown[] }[];
  };
}

/**
 * Two people at a match that is played for them, confirmed turn by turn, until `next` names no action more; where it
 * stands then.
 */
export async function openMatchWhen(
  page: Page,
  url: string,
  game: GameName,
  next: (now: Position) => string | null,
  confirm = false,
): Promise<Position> {
  const ask = async <Answer>(path: string, tokens: string[], body?: object) => {
    const response = await fetch(`${url}/api/matches${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tokens.join(',')}`,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Answer;
  };
  const seats = [{ kind: 'person' }, { kind: 'person' }];
  const { match, tokens } = await ask<{ match: string; tokens: string[] }>('', [], {
    game,
    seats,
    confirm,
  });
  let now = await ask<Position>(`/${match}`, tokens);
  const command = async (what: object) => {
    const body = {
      id: `${match} ${now.seq}`,
      seq: now.seq,
      seat: now.acting,
      ...what,
    };
    ({ snapshot: now } = await ask<{ snapshot: Position }>(`/${match}/commands`, tokens, body));
  };
  /** Until chance has done its part. */
  const decided = async () => {
    while (now.status === 'playing' && now.view.actions.length === 0)
      now = await ask<Position>(`/${match}`, tokens);
    return now;
  };
  for (let token = next(await decided()); token !== null; token = next(await decided())) {
    await command({ do: 'play', token });
    if (now.status === 'confirming') await command({ do: 'confirm' });
  }
  await page.evaluate((saved) => localStorage.setItem('tavola.matches', JSON.stringify([saved])), {
    match,
    game,
    tokens,
    at: 0,
    over: false,
  });
  await page.goto(`${url}/match/${match}`);
  await page.waitForSelector('.board .cell');
  await waitForTurn(page);
  return now;
}

/** Two people at a match in which these actions have been played. */
export async function openMatchAfter(
  page: Page,
  url: string,
  game: GameName,
  played: string[],
  confirm = false,
): Promise<void> {
  const left = [...played];
  await openMatchWhen(page, url, game, () => left.shift() ?? null, confirm);
}

/** The same numbers every time. */
export function seededRandom(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

export const isOver = (page: Page) => page.locator('.prompt.over').isVisible();
export const actions = (page: Page) => page.locator('.moves .entry').count();
export const canConfirm = (page: Page) => page.locator('.prompt .strong:enabled').isVisible();

/** Until somebody here can do something, or the game is over. */
export async function waitForTurn(page: Page): Promise<void> {
  try {
    await page.waitForFunction(
      () =>
        document.querySelector(
          '.cell.touchable, .menu, .prompt.over, .prompt .strong:enabled, .prompt [role=group] button, .prompt .turn',
        ) !== null,
    );
  } catch (error) {
    throw new Error(`Nobody can do anything: ${await page.locator('body').innerText()}`, { cause: error });
  }
}

/** Chooses from the menu that asks which of several actions was meant. */
export async function chooseFromMenu(page: Page): Promise<void> {
  const before = await looks(page);
  await page.locator('.menu button').nth(1).click();
  await changed(page, before);
}

/** Answers if it is asked which of several actions was meant, or whether it is meant at all. */
async function answer(page: Page, by: 'click' | 'key'): Promise<void> {
  await waitForTurn(page);
  if (await page.locator('.prompt h2.confirming').isVisible()) {
    await confirm(page, by);
    await waitForTurn(page);
    return;
  }
  if (!(await page.locator('.menu').isVisible())) return;
  const before = await looks(page);
  if (by === 'key') await page.keyboard.press('2');
  else await page.locator('.menu button').nth(1).click();
  await changed(page, before);
  await waitForTurn(page);
}

/** Waits until something has come of what was done to a board that looked like this. */
async function changed(page: Page, before: string): Promise<void> {
  await page.waitForFunction((then) => {
    const now =
      document.querySelector('.prompt')?.textContent +
      [...document.querySelectorAll('.moves .entry, .cell.chosen')]
        .map((one) => one.getAttribute('aria-label'))
        .join();
    return now !== then;
  }, before);
}

const looks = (page: Page) =>
  page.evaluate(
    () =>
      document.querySelector('.prompt')?.textContent +
      [...document.querySelectorAll('.moves .entry, .cell.chosen')]
        .map((one) => one.getAttribute('aria-label'))
        .join(),
  );

/** Confirms the turn, and waits until the other's begins. */
export async function confirm(page: Page, by: 'click' | 'key' = 'click'): Promise<void> {
  const before = await looks(page);
  if (by === 'key') await page.keyboard.press('c');
  else await page.locator('.prompt .strong').click();
  await changed(page, before);
}

/** Gives the game up, and waits until it is over. */
export async function resign(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog .strong').click();
  await page.waitForSelector('.prompt.over');
}

/** In Passtally, the sooner a pile is used up, the sooner the game ends. */
const SOON = '.cell.touchable[data-cell=pile-1]';

/** Touches one of the cells that can be touched, or presses a button, with the mouse, and waits until one can go on. */
export async function playRandomAction(page: Page, roll: (sides: number) => number): Promise<void> {
  await selectRandom(page, roll);
  await answer(page, 'click');
}

/** The piece in hand fits nowhere as it is held, but as it is turned next, or after that. */
async function rotateUntilItFits(page: Page): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) {
    await page.keyboard.press('r');
    if ((await page.locator('.cell.touchable').count()) > 0) return;
  }
  throw new Error(`Nothing can be touched: ${await looks(page)}`);
}

/** As [`playRandomAction`], but leaves what is asked about it to be answered, perhaps by somebody else's turn. */
export async function selectRandom(page: Page, roll: (sides: number) => number): Promise<void> {
  // Whoever holds a piece that fits nowhere so can turn it.
  await page
    .locator('.cell.touchable, .prompt [role=group] button, .prompt .turn')
    .first()
    .waitFor({ state: 'attached' });
  const before = await looks(page);
  const soon = page.locator(SOON);
  const all = page.locator('.cell.touchable, .prompt [role=group] button');
  const cells = (await soon.count()) > 0 ? soon : all;
  if ((await cells.count()) === 0) {
    await rotateUntilItFits(page);
    return;
  }
  await cells.nth(roll(await cells.count())).click({ force: true });
  await changed(page, before);
}

/** As [`playRandomAction`], but walks to the cell with the arrow keys. */
export async function playRandomActionByKeyboard(page: Page, roll: (sides: number) => number): Promise<void> {
  const before = await looks(page);
  const button = (await page.locator('.cell.touchable').count()) === 0;
  if (button && (await page.locator('.prompt [role=group] button').count()) === 0) {
    await rotateUntilItFits(page);
    return;
  }
  await page.keyboard.press('b');
  const ways = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
  const soon = (await page.locator(SOON).count()) > 0;
  // The piles lie below the board.
  if (soon) for (let key = 0; key < 10; key += 1) await page.keyboard.press('ArrowDown');
  let steps = 1 + roll(4);
  let arrived = false;
  const wanted = soon ? SOON : '.cell.touchable, .prompt [role=group] button';
  const goal = roll(1000);
  for (let key = 0; key < 300; key += 1) {
    const [touchable, there] = await page.evaluate(
      ([wanted, goal]) => {
        const from = document.activeElement?.getBoundingClientRect();
        const cells = document.querySelectorAll('.cell.touchable');
        const to = cells[goal % cells.length]?.getBoundingClientRect();
        const [x, y] = from && to ? [to.x - from.x, to.y - from.y] : [0, 0];
        const way =
          Math.abs(x) > Math.abs(y) ? (x > 0 ? 'ArrowRight' : 'ArrowLeft') : y > 0 ? 'ArrowDown' : 'ArrowUp';
        return [document.activeElement?.matches(wanted) ?? false, way] as const;
      },
      [wanted, goal] as const,
    );
    arrived = touchable && (soon || steps <= 0);
    if (arrived) break;
    steps -= 1;
    // Towards one of them, and now and then anywhere: there may be a gap in the way.
    const way = steps >= 0 || roll(4) === 0 ? (ways[roll(4)] ?? there) : there;
    await page.keyboard.press(button ? 'Tab' : soon ? 'ArrowLeft' : way);
  }
  // Lost among gaps: from here another way is tried next time.
  if (!arrived) return;
  await page.keyboard.press(roll(2) === 0 ? 'Enter' : ' ');
  await changed(page, before);
  await answer(page, 'key');
}
