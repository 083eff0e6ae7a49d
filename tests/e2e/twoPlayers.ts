/** A match of two people, each in a browser of their own. */
import type { Page } from 'playwright-core';
import { BLANK, phone, type TestApp } from './app';
import { ask, createMatch } from './play';

export const PHONE = phone(390, 780);

export interface TwoPlayerMatch {
  match: string;
  red: Page;
  blue: Page;
  errors: string[][];
  tokens: string[];
  command: (seat: number, what: object) => Promise<void>;
}

/**
 * Starts a match of two people, each in a browser. `far`: Blue uses a phone in Japanese; `away`: Blue has not
 * joined.
 */
export async function startTwoPlayerMatch(
  app: TestApp,
  more: object = {},
  { far = false, away = false } = {},
): Promise<TwoPlayerMatch> {
  const seats = [
    { kind: 'person', name: 'Ada' },
    { kind: 'person', name: 'Bo' },
  ];
  const body = { game: 'potlatch', seats, confirm: false, ...more };
  const { match, tokens } = await createMatch(app.url, body);
  const visitors = await Promise.all([
    app.openPage({ at: BLANK }),
    app.openPage({ at: BLANK, ...(far ? { ...PHONE, locale: 'ja' } : {}) }),
  ]);
  for (const [seat, { page }] of visitors.entries()) {
    await page.evaluate(
      ([match, game, token, seat]) =>
        localStorage.setItem(
          'tavola.matches',
          JSON.stringify([
            {
              match,
              game,
              tokens: seat === 0 ? [token, null] : [null, token],
              at: Date.now(),
              over: false,
            },
          ]),
        ),
      [match, body.game, tokens[seat], seat] as const,
    );
    if (away && seat === 1) continue;
    await page.goto(`${app.url}/match/${match}`);
    await page.waitForSelector('.board .cell');
  }
  const [red, blue] = visitors.map(({ page }) => page) as [Page, Page];
  return {
    match,
    tokens,
    red,
    blue,
    errors: visitors.map(({ errors }) => errors),
    command: commands(app.url, match, tokens),
  };
}

/** Returns the function that sends commands of the seats of a match over HTTP. */
export function commands(url: string, match: string, tokens: string[]): TwoPlayerMatch['command'] {
  let count = 0;
  return async (seat, what) => {
    const { seq } = await ask<{ seq: number }>(url, `/${match}`, tokens);
    count += 1;
    await ask(url, `/${match}/commands`, tokens, { id: `${match} ${count}`, seq, seat, ...what });
  };
}
