/** Profiles, friends and blocked people. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, BLANK, newName, screenshot, startApp } from './app';
import { GAMES, openSetup } from './play';

const app = startApp();

const PASSWORD = 'correct horse';

/** Asks the API as the page's account. */
async function ask<Answer>(page: Page, path: string, data?: object): Promise<Answer> {
  const answer = await (data
    ? page.request.post(app.url + path, { data })
    : page.request.get(app.url + path));
  expect(answer.ok(), await answer.text()).toBe(true);
  return (answer.status() === 204 ? null : await answer.json()) as Answer;
}

/** A page with a new account. */
async function member(base: string, locale = 'en'): Promise<{ page: Page; errors: string[]; name: string }> {
  const name = newName(base);
  const opened = await app.openPage({ at: BLANK, locale });
  await ask(opened.page, '/api/account', { name, password: PASSWORD });
  return { ...opened, name };
}

const act = async (page: Page, match: string, seat: number, action: object): Promise<void> => {
  const { seq } = await ask<{ seq: number }>(page, `/api/matches/${match}`);
  await ask(page, `/api/matches/${match}/commands`, { id: randomUUID(), seq, seat, ...action });
};

/** A rated game that the second player resigns. */
async function playRated(winner: Page, loser: Page): Promise<void> {
  const { match, invitations } = await ask<{ match: string; invitations: string[] }>(winner, '/api/matches', {
    game: 'potlatch',
    seats: [{ kind: 'person' }, { kind: 'link' }],
    confirm: false,
    rated: true,
  });
  await ask(loser, `/api/matches/${match}/seats`, {
    token: randomBytes(32).toString('base64url'),
    invitation: invitations[1],
  });
  for (const token of ['Pnw', 'Pw']) await act(winner, match, 0, { do: 'play', token });
  for (const token of ['Pne', 'Pnw']) await act(loser, match, 1, { do: 'play', token });
  await act(loser, match, 1, { do: 'resign' });
}

/** The parts of a seat's rating and of the word "Rated" that are cut off. */
const unseen = (page: Page): Promise<string[]> =>
  page.locator('.seat').evaluateAll((seats) =>
    seats.flatMap((seat) => {
      const frame = seat.getBoundingClientRect();
      return ['.rating', '.rated'].flatMap((name) => {
        const part = seat.querySelector(name);
        const box = part?.getBoundingClientRect();
        const row = part?.parentElement;
        const line = row?.getBoundingClientRect();
        const whole =
          part &&
          box &&
          row &&
          line &&
          box.width > 5 &&
          getComputedStyle(row).clipPath === 'none' &&
          box.left >= frame.left &&
          box.right <= Math.min(frame.right, line.right) + 1 &&
          box.bottom <= frame.bottom + 1;
        return whole ? [] : [`${seat.getAttribute('aria-label')} ${name} ${JSON.stringify(box)}`];
      });
    }),
  );

test(
  'in a rated game every seat shows its rating and "Rated", from phones to desktops',
  { tags: 'long' },
  async () => {
    const { page: grace, errors } = await member('Grace');
    const { page: linus } = await member('Linus');
    const engine = { kind: 'engine', level: 1 };
    for (const [game, options, ...more] of [
      ['potlatch', {}],
      ['montana', { players: 4 }, engine, engine],
    ] as const) {
      const { match, invitations } = await ask<{ match: string; invitations: string[] }>(
        grace,
        '/api/matches',
        {
          game,
          options,
          seats: [{ kind: 'person' }, { kind: 'link' }, ...more],
          time: { kind: 'main', seconds: 600, increment: 0 },
          rated: true,
        },
      );
      await ask(linus, `/api/matches/${match}/seats`, {
        token: randomBytes(32).toString('base64url'),
        invitation: invitations[1],
      });
      for (const language of ['en', 'ja']) {
        await grace.evaluate(
          (language) => localStorage.setItem('tavola.settings', JSON.stringify({ explain: false, language })),
          language,
        );
        await grace.goto(`${app.url}/match/${match}`);
        await grace.waitForSelector('.board .cell');
        for (const [width, height] of [
          [360, 740],
          [390, 844],
          [740, 360],
          [820, 1180],
          [1024, 768],
          [1440, 900],
          [1920, 1080],
        ] as const) {
          await grace.setViewportSize({ width, height });
          await expect.poll(() => unseen(grace), { message: `${game} ${language} ${width}` }).toEqual([]);
        }
        await screenshot(grace, `rated-${game}-${language}`);
      }
      expect(await grace.locator('.seat .rated').first().textContent()).toBe('レート戦');
    }
    expect(errors).toEqual([]);
  },
);

test('the set-up of a phone shows "Rated" without scrolling', { tags: 'long' }, async () => {
  for (const locale of ['en', 'ja']) {
    const { page } = await member('Ada', locale);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(app.url);
    for (const game of GAMES) {
      await openSetup(page, game);
      const rated = await page.locator('dialog .check', { hasText: /Rated|レーティング戦/ }).boundingBox();
      const foot = await page.locator('dialog .end').boundingBox();
      expect((rated?.y ?? 740) + (rated?.height ?? 0), `${game} ${locale}`).toBeLessThan(foot?.y ?? 0);
      await page.keyboard.press('Escape');
    }
  }
});

test(
  'a profile shows ratings, results and games, names lead there, and it can be private',
  { tags: 'long' },
  async () => {
    const { page: grace, errors, name: graceName } = await member('Grace');
    const { page: linus, name: linusName } = await member('Linus', 'ja');
    for (let round = 0; round < 2; round += 1) await playRated(grace, linus);

    await grace.goto(`${app.url}/ratings`);
    await grace.getByRole('link', { name: linusName }).click();
    await grace.getByRole('heading', { name: linusName, level: 1 }).waitFor();
    expect(new URL(grace.url()).pathname).toBe(`/@/${linusName}`);
    await grace.getByRole('heading', { name: `You against ${linusName}` }).waitFor();
    await grace.getByText('2 won, 0 lost').first().waitFor();
    await grace.getByRole('img', { name: /^Rating of / }).waitFor();
    await expect.poll(() => grace.locator('main .row').count()).toBe(2);
    expect(await accessibilityViolations(grace)).toEqual([]);
    await screenshot(grace, 'person-desk');
    // The players of a game are links, too.
    await grace
      .locator('main .row')
      .first()
      .getByRole('link', { name: graceName, exact: true })
      .press('Enter');
    await grace.getByRole('heading', { name: graceName, level: 1 }).waitFor();

    await linus.setViewportSize({ width: 360, height: 740 });
    await linus.goto(`${app.url}/@/${graceName.toUpperCase()}`);
    await linus.getByRole('heading', { name: graceName, level: 1 }).waitFor();
    await linus.getByText('0勝2敗').first().waitFor();
    await expect.poll(() => linus.locator('main .row').count()).toBe(2);
    expect(await linus.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await accessibilityViolations(linus)).toEqual([]);
    await screenshot(linus, 'person-phone');

    await grace.goto(`${app.url}/account`);
    await grace.getByLabel('Private profile').check();
    await expect.poll(() => grace.getByLabel('Private profile').isEnabled()).toBe(true);
    await linus.reload();
    await linus.getByText('このプロフィールは非公開です。').waitFor();
    expect(await linus.getByText('0勝2敗').count()).toBe(0);
    await grace.goto(`${app.url}/@/nobody%2Fhere.`);
    await grace.getByText('No player has this name.').waitFor();
    expect(errors.filter((text) => !text.includes('404'))).toEqual([]);
  },
);

test('friends follow each other, and a blocked person finds no open game', { tags: 'long' }, async () => {
  const { page: edsger, errors, name: edsgerName } = await member('Edsger');
  const { page: barbara, name: barbaraName } = await member('Barbara');
  await ask(edsger, '/api/people/relation', { name: barbaraName, kind: 'follow' });
  await barbara.goto(`${app.url}/people`);
  await barbara.getByRole('button', { name: `Follow: ${edsgerName}` }).click();
  await barbara.getByText('Offline').or(barbara.getByText('Online')).first().waitFor();
  expect(await accessibilityViolations(barbara)).toEqual([]);

  await ask(edsger, '/api/matches', {
    game: 'potlatch',
    seats: [{ kind: 'person' }, { kind: 'link' }],
    lobby: true,
  });
  const offers = (page: Page) => page.locator('main .things > li').filter({ hasText: edsgerName });
  await barbara.goto(`${app.url}/lobby`);
  await expect.poll(() => offers(barbara).count()).toBe(1);
  await edsger.goto(`${app.url}/@/${barbaraName}`);
  await edsger.getByRole('button', { name: 'Block' }).click();
  await edsger.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await edsger.getByRole('button', { name: 'Unblock' }).waitFor();
  // It disappears from a lobby that is open, too.
  await expect.poll(() => offers(barbara).count()).toBe(0);
  await edsger.goto(`${app.url}/people`);
  await edsger.getByRole('button', { name: `Unblock: ${barbaraName}` }).click();
  await expect.poll(() => offers(barbara).count()).toBe(1);
  expect(errors).toEqual([]);
});

test('who waits in the game sees that the challenged person declines', { tags: 'long' }, async () => {
  const { page: frances, errors, name } = await member('Frances');
  const { page: ken, name: kenName } = await member('Ken');
  await frances.goto(`${app.url}/@/${kenName}`);
  await frances.getByRole('button', { name: 'Challenge' }).click();
  await frances.getByRole('dialog').getByRole('button', { name: 'Proteus' }).click();
  await frances.getByRole('button', { name: 'Start', exact: true }).click();
  await frances.getByText(`${kenName} was notified.`).waitFor();
  await ken.goto(`${app.url}/@/${name}`);
  await ken.getByRole('button', { name: /unread/ }).click();
  await ken.getByRole('link', { name: `${name} challenges you to a game` }).click();
  await ken.getByRole('button', { name: 'Decline' }).click();
  await frances.getByText(`${kenName} declined.`).waitFor();
  await frances.reload();
  await frances.getByText(`${kenName} declined.`).waitFor();
  await frances.goto(app.url);
  await frances.getByRole('button', { name: /unread/ }).waitFor();
  expect(errors).toEqual([]);
});

test(
  'a person is challenged from the profile, finds it at the bell, and accepts',
  { tags: 'long' },
  async () => {
    const { page: frances, errors, name: francesName } = await member('Frances');
    const { page: ken, name: kenName } = await member('Ken');
    await frances.goto(`${app.url}/@/${kenName}`);
    await frances.getByRole('button', { name: 'Challenge' }).click();
    expect(await accessibilityViolations(frances)).toEqual([]);
    await frances
      .getByRole('dialog', { name: `Challenge ${kenName}` })
      .getByRole('button', { name: 'Proteus' })
      .click();
    await frances.getByRole('button', { name: 'Start', exact: true }).click();
    await frances.waitForSelector('.board .cell');
    await frances.getByText(`${kenName} was notified.`).waitFor();
    expect(await frances.getByRole('dialog').count()).toBe(0);

    await ken.goto(`${app.url}/@/${kenName}`);
    await ken.getByRole('button', { name: /unread/ }).click();
    await ken.getByRole('link', { name: `${francesName} challenges you to a game` }).click();
    await ken.getByRole('heading', { name: `${francesName} invited you to play` }).waitFor();
    await ken.getByRole('button', { name: 'Decline' }).waitFor();
    // The address keeps the invitation.
    await ken.reload();
    await ken.getByRole('button', { name: 'Decline' }).waitFor();
    expect(await accessibilityViolations(ken)).toEqual([]);
    await screenshot(ken, 'person-challenged');
    await ken.getByRole('button', { name: 'Join game' }).click();
    await ken.waitForSelector('.board .cell');
    await frances.locator('.seat').getByRole('link', { name: kenName }).waitFor();
    expect(errors).toEqual([]);
  },
);
