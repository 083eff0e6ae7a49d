/** The page of moderators, and the announcement of the host. */
import { expect, onTestFinished, test } from 'vitest';
import { accessibilityViolations, BLANK, screenshot, startApp } from './app';
import { startTwoPlayerMatch } from './twoPlayers';

const app = startApp();

test(
  'a moderator reads a report, mutes its writer, deletes the line and reads the announcement',
  { tags: 'long' },
  async () => {
    // New in every try.
    const name = `Judge ${Date.now()}`;
    const rude = `you are rude ${Date.now()}`;
    const { red, blue } = await startTwoPlayerMatch(app);
    for (const page of [red, blue]) await page.keyboard.press('/');
    await red.locator('.chat form input').fill(rude);
    await red.locator('.chat form input').press('Enter');
    const line = blue.locator('.chat li');
    await line.getByText(rude).waitFor();
    await line.getByRole('button', { name: 'Report' }).click();
    await blue.getByRole('dialog').locator('button.strong').click();
    await line.getByRole('button', { name: 'Reported' }).waitFor();

    const { page, errors } = await app.openPage({ at: BLANK });
    const account = { name, password: 'correct horse' };
    const made = await page.request.post(`${app.url}/api/account`, { data: account });
    expect(made.status()).toBe(201);
    await page.goto(`${app.url}/moderation`);
    await page.getByText('Only moderators see this page.').waitFor();

    app.server.admin('grant', name, 'moderator');
    onTestFinished(() => app.server.admin('announce', '--end')); // Other files share the server.
    app.server.admin('announce', 'en=We close at ten.', 'ja=22時に終了します。');
    await expect
      .poll(async () => (await page.request.get(`${app.url}/api/account`)).text())
      .toContain('We close at ten.');
    await page.goto(`${app.url}/account`);
    await page.getByText('We close at ten.').waitFor();
    await page.getByRole('link', { name: 'Reports of players' }).click();
    const report = page.getByRole('article').filter({ hasText: rude });
    await report.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'moderation');
    await report.getByRole('button', { name: 'Mute for a day' }).click();
    await report.getByText('Muted until').waitFor();
    await report.getByRole('button', { name: 'Delete line' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Delete line' }).click();
    await report.waitFor({ state: 'detached' });
    expect(await page.getByText('Line deleted.').evaluate((said) => said.matches(':focus'))).toBe(true);
    await red.locator('.chat li').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: '日本語' }).click();
    const announcement = page.getByText('22時に終了します。');
    await announcement.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await announcement.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('heading', { name: 'プレイヤーからの通報' }).waitFor();
    await page.locator('.notice', { has: announcement }).getByRole('button').click();
    await announcement.waitFor({ state: 'detached' });
    expect(errors).toEqual([
      'Failed to load resource: the server responded with a status of 403 (Forbidden)',
    ]);
  },
);
