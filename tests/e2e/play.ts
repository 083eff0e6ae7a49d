/** Helpers that play games on the page. */
import type { Page } from 'playwright-core';

/** The games, as `GET /api/games` lists them. */
export const GAMES = ['montana', 'passtally', 'potlatch', 'proteus'] as const;
export type GameName = (typeof GAMES)[number];

/** The game that short tests cover, and those that only long tests do. */
export const SHORT: GameName = 'potlatch';
export const LONGER: readonly GameName[] = GAMES.filter((game) => game !== SHORT);

/** The card of a game on the start page. */
export const card = (page: Page, game: GameName) => page.locator(`article[data-game=${game}]`);

/** Opens the set-up of a game, with all its settings if `more`. */
export async function openSetup(page: Page, game: GameName, more = false): Promise<void> {
  await card(page, game).locator('.more .button').first().click();
  await page.waitForSelector('dialog form');
  if (more) await page.locator('dialog summary').click();
}

/** Starts a game of four on the start page: a person against three engines of level 1. */
export async function startFourPlayerGame(page: Page, game: GameName): Promise<void> {
  await openSetup(page, game, true);
  await page.locator('dialog').getByText('4 players').first().click();
  const seats = page.locator('dialog label.seat select');
  await page.waitForFunction(() => document.querySelectorAll('dialog label.seat').length === 4);
  await seats.nth(0).selectOption('person');
  for (const seat of [1, 2, 3]) await seats.nth(seat).selectOption('1');
  await page.locator('dialog button[type=submit]').click();
  await page.waitForSelector('.board .cell');
  await waitForTurn(page);
}

/** Starts a game on the start page: two people, or one against an engine of level 1. */
export async function startGame(
  page: Page,
  against: 'person' | 'engine',
  game: GameName = 'potlatch',
): Promise<void> {
  if (against === 'person') {
    await card(page, game).locator('.ways button').nth(1).click();
  } else {
    await openSetup(page, game);
    await page.locator('dialog .levels label').first().click();
    await page.locator('dialog button[type=submit]').click();
  }
  await page.waitForSelector('.board .cell');
  await waitForTurn(page);
}

/** The selectable cells whose middle something else lies over and takes the click. */
export const coveredCells = (page: Page): Promise<(string | undefined)[]> =>
  page.locator('.cell.touchable').evaluateAll((cells) =>
    cells
      .filter((cell) => {
        const { left, top, width, height } = (cell.querySelector('.hit') ?? cell).getBoundingClientRect();
        const over = document.elementFromPoint(left + width / 2, top + height / 2);
        return over?.closest('svg') !== cell.closest('svg');
      })
      .map((cell) => (cell as SVGElement).dataset['cell']),
  );

/** Asks the server about matches. */
export async function ask<Answer>(
  url: string,
  path: string,
  tokens: string[],
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${url}/api/matches${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.join(',')}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
}

/** Creates a match over HTTP. */
export function createMatch(url: string, body: object): Promise<{ match: string; tokens: string[] }> {
  return ask(url, '', [], body);
}

/** Opens a match with these tokens of its seats; the page must show an address of the app. */
export async function openMatch(
  page: Page,
  url: string,
  game: GameName,
  { match, tokens }: { match: string; tokens: (string | null)[] },
): Promise<void> {
  await page.evaluate((saved) => localStorage.setItem('tavola.matches', JSON.stringify([saved])), {
    match,
    game,
    tokens,
    at: 0,
    over: false,
  });
  await page.goto(`${url}/match/${match}`);
  await page.waitForSelector('.board .cell');
}

/** As [`startGame`], but without the start page. */
export async function openGame(
  page: Page,
  url: string,
  against: 'person' | 'engine',
  game: GameName = 'potlatch',
): Promise<void> {
  const seats = [
    { kind: 'person' },
    against === 'person' ? { kind: 'person' } : { kind: 'engine', level: 1 },
  ];
  await openMatch(page, url, game, await createMatch(url, { game, seats, confirm: true, contribute: true }));
  await waitForTurn(page);
}

/** The part of a snapshot that is needed to play without a browser. */
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
 * Opens a match of people on one device, two unless told, played over HTTP until `next` returns null. Returns the last
 * state.
 */
export async function openMatchWhen(
  page: Page,
  url: string,
  game: GameName,
  next: (now: Position) => string | null,
  confirm = false,
  players = 2,
): Promise<Position> {
  const seats = Array.from({ length: players }, () => ({ kind: 'person' }));
  const options = players > 2 ? { players } : {};
  const created = await createMatch(url, { game, seats, options, confirm });
  const { match, tokens } = created;
  let now = await ask<Position>(url, `/${match}`, tokens);
  const command = async (what: object) => {
    const body = {
      id: `${match} ${now.seq}`,
      seq: now.seq,
      seat: now.acting,
      ...what,
    };
    ({ snapshot: now } = await ask<{ snapshot: Position }>(url, `/${match}/commands`, tokens, body));
  };
  /** Waits for random draws. */
  const decided = async () => {
    while (now.status === 'playing' && now.view.actions.length === 0)
      now = await ask<Position>(url, `/${match}`, tokens);
    return now;
  };
  for (let token = next(await decided()); token !== null; token = next(await decided())) {
    await command({ do: 'play', token });
    if (now.status === 'confirming') await command({ do: 'confirm' });
  }
  await openMatch(page, url, game, created);
  await waitForTurn(page);
  return now;
}

/** Opens a match in which these actions have been played. */
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

/** A pseudo-random generator with a seed. */
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

/** Waits until a player here can act, or the game is over. */
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

/** Chooses the first entry of the action menu. */
export async function chooseFromMenu(page: Page): Promise<void> {
  const before = await looks(page);
  await page.locator('.menu button').nth(1).click();
  await changed(page, before);
}

/** Answers the open question, if there is one: which action, or whether to confirm. */
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

/** Waits until the board has changed from this state. */
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

/** Confirms the turn and waits for the change. */
export async function confirm(page: Page, by: 'click' | 'key' = 'click'): Promise<void> {
  const before = await looks(page);
  if (by === 'key') await page.keyboard.press('c');
  else await page.locator('.prompt .strong').click();
  await changed(page, before);
}

/** Resigns and waits for the end. */
export async function resign(page: Page): Promise<void> {
  const flag = page.locator('.prompt').getByRole('button', { name: 'Resign' });
  // While cells are selected, "Cancel" is in its place.
  for (let step = 0; step < 4 && (await flag.count()) === 0; step += 1) await page.keyboard.press('Escape');
  await flag.click();
  await page.locator('dialog .strong').click();
  await page.waitForSelector('.prompt.over');
}

/** In Passtally the game ends sooner if one pile is used up first. */
const SOON = '.cell.touchable[data-cell=pile-1]';

/** Selects a random selectable cell or button by mouse, and waits until play can continue. */
export async function playRandomAction(page: Page, roll: (sides: number) => number): Promise<void> {
  await selectRandom(page, roll);
  await answer(page, 'click');
}

/** The selected piece fits nowhere in this rotation: rotate it until it does. */
async function rotateUntilItFits(page: Page): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) {
    await page.keyboard.press('r');
    if ((await page.locator('.cell.touchable').count()) > 0) return;
  }
  throw new Error(`Nothing can be touched: ${await looks(page)}`);
}

/** As [`playRandomAction`], but leaves an open question to the caller. */
export async function selectRandom(page: Page, roll: (sides: number) => number): Promise<void> {
  // A piece that fits nowhere can be rotated.
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
  const reachable = await cells.evaluateAll((all) =>
    all.flatMap((one, index) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      const popup = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.popup');
      // A popup in front covers a part of the table until it is closed.
      return popup && !popup.contains(one) ? [] : [index];
    }),
  );
  const index = reachable[roll(reachable.length)];
  if (index === undefined) throw new Error(`A popup covers everything: ${before}`);
  await cells.nth(index).click({ force: true });
  await changed(page, before);
}

/** As [`playRandomAction`], but with the arrow keys. */
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
  // The piles are below the board.
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
    // Towards a selectable cell, sometimes at random: there may be a gap in between.
    const way = steps >= 0 || roll(4) === 0 ? (ways[roll(4)] ?? there) : there;
    await page.keyboard.press(button ? 'Tab' : soon ? 'ArrowLeft' : way);
  }
  // Lost among gaps: another way is tried next time.
  if (!arrived) return;
  await page.keyboard.press(roll(2) === 0 ? 'Enter' : ' ');
  await changed(page, before);
  await answer(page, 'key');
}
