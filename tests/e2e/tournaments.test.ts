/** A club evening by clicks: created, joined by link, played, corrected and finished. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { TournamentView } from '../../web/src/lib/api/server';
import { accessibilityViolations, BLANK, screenshot, startApp } from './app';
import { resign } from './play';

const app = startApp();

async function create(page: Page, name: string, rounds: number): Promise<string> {
  await page.goto(`${app.url}/tournaments`);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Rounds').fill(String(rounds));
  expect(await accessibilityViolations(page)).toEqual([]);
  await screenshot(page, 'tournaments');
  await page.getByRole('button', { name: 'Create tournament' }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return page.url();
}

async function join(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('You are in.').waitFor();
}

/** The players in the second seats of a round, when it has been paired. */
async function secondSeats(link: string, round: number): Promise<string[]> {
  const address = link.replace('/tournaments/', '/api/tournaments/');
  for (;;) {
    const { view } = (await (await fetch(address)).json()) as { view: TournamentView };
    const boards = view.rounds[round - 1]?.boards;
    if (boards)
      return boards.map(
        ({ players }) => view.players.find(({ number }) => number === players[1])?.name ?? '',
      );
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test(
  'four players spend an evening: they join by link, play two rounds and see the standings',
  { tags: 'long' },
  async () => {
    const { page: host, errors } = await app.openPage({ at: BLANK });
    const link = await create(host, 'Friday evening', 2);
    const names = ['Ada', 'Ben', 'Cleo', 'Dan'];
    const visitors = await Promise.all(names.map(() => app.openPage({ at: BLANK })));
    for (const [index, name] of names.entries()) await join(visitors[index]!.page, link, name);
    await host.getByText('Players: 4').waitFor();
    expect(await accessibilityViolations(host)).toEqual([]);
    await screenshot(host, 'tournament-open');
    await host.getByRole('button', { name: 'Start', exact: true }).click();
    for (const round of [1, 2]) {
      for (const name of await secondSeats(link, round)) {
        const { page } = visitors[names.indexOf(name)]!;
        await page.goto(link);
        await page.getByText(`Round ${round} of 2`).waitFor();
        await page.getByRole('button', { name: 'Play', exact: true }).click();
        await page.waitForSelector('.board .cell');
        await resign(page);
        await page.getByRole('link', { name: 'To the tournament' }).click();
        await page.waitForURL(link);
      }
    }
    await host.getByText('Finished', { exact: false }).first().waitFor();
    await expect.poll(() => host.locator('table').first().locator('tbody tr').count()).toBe(4);
    expect(await host.getByRole('row', { name: /^1 / }).first().innerText()).toContain('2');
    await screenshot(host, 'tournament-finished');
    const phone = visitors[0]!.page;
    await phone.setViewportSize({ width: 360, height: 740 });
    await phone.goto(link);
    await phone.getByRole('heading', { name: 'Standings' }).waitFor();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await accessibilityViolations(phone)).toEqual([]);
    await screenshot(phone, 'tournament-phone');
    expect(errors).toEqual([]);
  },
);

test(
  'the organizer corrects a board, and the wall shows what is being played, in Japanese too',
  { tags: 'long' },
  async () => {
    const { page: host } = await app.openPage({ at: BLANK, locale: 'ja' });
    await host.goto(`${app.url}/tournaments`);
    await host.getByLabel('大会の名前').fill('金曜例会');
    await host.getByRole('button', { name: '大会を作る' }).click();
    await host.getByRole('heading', { name: '金曜例会', level: 1 }).waitFor();
    const link = host.url();
    for (const name of ['Ada', 'Ben']) {
      const { page } = await app.openPage({ at: BLANK });
      await join(page, link, name);
    }
    await host.getByRole('button', { name: '開始する', exact: true }).click();
    await host.getByText('対局中').first().waitFor();
    await host.goto(`${link}/wall`);
    await host.locator('article img').waitFor();
    await screenshot(host, 'tournament-wall');
    expect(await accessibilityViolations(host)).toEqual([]);
    await host.goto(link);
    await host.getByRole('button', { name: /^結果を入力/ }).click();
    await host.getByLabel('Benの順位').selectOption('2');
    await host.getByLabel('Adaの順位').selectOption('1');
    await host.getByRole('button', { name: '保存' }).click();
    await host.getByText('主催者が入力').waitFor();
    await screenshot(host, 'tournament-japanese');
    expect(await accessibilityViolations(host)).toEqual([]);
  },
);

test('a rated tournament is for accounts', async () => {
  const { page, errors } = await app.openPage({ at: BLANK, viewport: { width: 360, height: 740 } });
  await page.goto(`${app.url}/tournaments`);
  await page.getByLabel('Name', { exact: true }).fill('Rated cup');
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Rated, for players with accounts').check();
  expect(await page.getByLabel('Guests without an account').isDisabled()).toBe(true);
  expect(await accessibilityViolations(page)).toEqual([]);
  await screenshot(page, 'tournament-rated');
  await page.getByRole('button', { name: 'Create tournament' }).click();
  await page.getByRole('heading', { name: 'Rated cup', level: 1 }).waitFor();
  await page.getByText('· Rated ·').waitFor();
  await page.getByText('For players with an account.').waitFor();
  expect(await page.getByLabel('Your name').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a tournament has the options of its game', async () => {
  const { page, errors } = await app.openPage({ at: BLANK });
  await page.goto(`${app.url}/tournaments`);
  await page.getByLabel('Name', { exact: true }).fill('Even seats');
  await page.getByLabel('Game').selectOption('proteus');
  await page.getByText('More', { exact: true }).click();
  const even = 'The first action after the placement cannot win';
  await page.getByLabel(even).check({ force: true });
  expect(await accessibilityViolations(page)).toEqual([]);
  // The options of another game do not stay.
  await page.getByLabel('Game').selectOption('passtally');
  await page.getByLabel('Game').selectOption('proteus');
  expect(await page.getByLabel(even).isChecked()).toBe(false);
  await page.getByLabel(even).check({ force: true });
  await screenshot(page, 'tournament-options');
  await page.getByRole('button', { name: 'Create tournament' }).click();
  await page.getByText(`Proteus · ${even} · Swiss`).waitFor();
  for (let engine = 0; engine < 2; engine += 1)
    await page.getByRole('button', { name: 'Add computer' }).click();
  await page.getByText('Players: 2').waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Round 1 of').waitFor();
  const address = page.url().replace('/tournaments/', '/api/tournaments/');
  const { view } = (await (await fetch(address)).json()) as { view: TournamentView };
  const match = view.rounds[0]?.boards[0]?.match;
  const snapshot = await (await fetch(`${app.url}/api/matches/${match}`)).json();
  expect(snapshot).toMatchObject({ options: { balance: '1' } });
  expect(errors).toEqual([]);
});
