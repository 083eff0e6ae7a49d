/** Helpers that play lessons on the page. */
import type { Page } from 'playwright-core';
import { translate, type WordList } from '../../web/src/lib/i18n/translate';
import type { ActionView } from '../../web/src/lib/api/view';

interface Position {
  status: 'playing' | 'wrong' | 'done';
  hint: string | null;
  view: { actions: ActionView[] };
}

export interface ListedLesson {
  id: string;
  steps: { task: Record<'en' | 'ja', string> }[];
}

export async function lessonsOf(url: string, game: string): Promise<ListedLesson[]> {
  const all = (await (await fetch(`${url}/api/lessons`)).json()) as {
    game: string;
    lessons: ListedLesson[];
  }[];
  return all.find((known) => known.game === game)?.lessons ?? [];
}

export async function openLesson(page: Page, url: string, game: string, lesson: string): Promise<void> {
  await page.goto(`${url}/learn/${game}/${lesson}`);
  await page.waitForSelector('.board .cell');
}

/** Selects the cells of an action, or presses its button, and answers what is asked. */
async function act(page: Page, action: ActionView, label: string): Promise<void> {
  if (action.touches.length === 0) {
    await page.locator('.task [role=group] button', { hasText: label }).first().click();
  }
  for (const cell of action.touches) {
    const place = page.locator(`.cell[data-cell="${cell}"]`);
    await place.focus();
    await page.keyboard.press('Enter');
    for (let turns = 0; turns < 4 && action.turn !== undefined && cell === action.touches[0]; turns += 1) {
      if ((await page.locator('.task').getAttribute('data-turn')) === String(action.turn)) break;
      await page.keyboard.press('r');
    }
  }
  const menu = page.locator('.menu button', { hasText: label });
  const confirm = page.locator('.task .grow');
  for (let turns = 0; turns < 4; turns += 1) {
    if ((await menu.count()) > 0) await menu.first().click();
    else if ((await page.locator('.task .asked').count()) === 0) return;
    else if ((await page.locator('.task .asked').getAttribute('data-token')) === action.token)
      await confirm.click();
    else await page.keyboard.press('r');
  }
}

const known = new Map<string, WordList>();

/** The texts of a game in English. */
async function wordsOf(url: string, game: string): Promise<WordList> {
  const asked = known.get(game);
  if (asked) return asked;
  const { words } = (await (await fetch(`${url}/api/games/${game}`)).json()) as { words: { en: WordList } };
  known.set(game, words.en);
  return words.en;
}

/** Plays actions in a step by keyboard, each as `next` names it for the position after those before; null ends it. */
async function playStep(
  page: Page,
  url: string,
  at: { game: string; lesson: string; step: number },
  next: (position: Position, count: number) => string | null,
): Promise<void> {
  const { game, lesson, step } = at;
  const words = await wordsOf(url, game);
  const line: string[] = [];
  for (;;) {
    const query = new URLSearchParams(line.map((token) => ['line', token]));
    const answer = await fetch(`${url}/api/games/${game}/lessons/${lesson}/${step}?${query}`);
    const position = (await answer.json()) as Position;
    const token = next(position, line.length);
    if (token === null) return;
    const action = position.view.actions.find((one) => one.token === token);
    if (!action) throw new Error(`${game} ${lesson} ${step}: no ${token} after ${line.join(' ')}`);
    await act(page, action, translate(words, 'en', action.label));
    line.push(token);
    await page.waitForFunction(
      (count) => document.querySelector('.task')?.getAttribute('data-count') === String(count),
      line.length,
    );
  }
}

/** Plays the solution of a step by keyboard, as the server's hints show it. */
export async function solve(page: Page, url: string, game: string, lesson: string, step: number) {
  await playStep(page, url, { game, lesson, step }, ({ status, hint }) =>
    status === 'playing' ? (hint ?? '?') : null,
  );
  await page.waitForSelector('.task.right');
}

/** Plays these actions in the first step by keyboard. */
export async function playLine(page: Page, url: string, game: string, lesson: string, line: string[]) {
  await playStep(page, url, { game, lesson, step: 0 }, (_, count) => line[count] ?? null);
}
