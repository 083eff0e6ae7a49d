/** Without the network, after a first visit. */
import { expect, test } from 'vitest';
import { startApp } from './app';
import { actions, playRandomAction, seededRandom, startGame, waitForTurn } from './play';

const app = startApp();

test(
  'the start page, the lessons and a rule book read before open without the network',
  { tags: 'long' },
  async () => {
    const { page } = await app.openPage({ serviceWorkers: 'allow' });
    await page.goto(app.url);
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active?.state !== 'activated')
        await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }));
    });
    await page.goto(`${app.url}/rules/potlatch`);
    const book = page.getByText('You may not pass').first();
    await book.waitFor();

    await app.server.kill();
    await page.reload();
    await book.waitFor();
    await page.goto(app.url);
    await page.getByRole('heading', { name: 'Potlatch Klone' }).waitFor();
    await page.goto(`${app.url}/learn`);
    await page.locator('section[data-game=potlatch] li').first().waitFor();

    // With the network the newest answers count again.
    await app.server.start();
    await page.goto(app.url);
    await page.getByRole('heading', { name: 'Potlatch Klone' }).waitFor();
    const fromServer = await page.evaluate(() =>
      fetch('/api/games').then((answer) => answer.headers.get('date')),
    );
    expect(fromServer).not.toBeNull();
  },
);

test(
  'without the network a match of the server shows its last position, and goes on afterwards',
  { tags: 'long' },
  async () => {
    const { page } = await app.openPage({ serviceWorkers: 'allow' });
    await startGame(page, 'person');
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active?.state !== 'activated')
        await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }));
    });
    const played = await actions(page);
    await playRandomAction(page, seededRandom(1));
    await waitForTurn(page);
    await expect.poll(() => actions(page)).toBeGreaterThan(played);
    const count = await actions(page);

    await app.server.kill();
    await page.goto(app.url);
    await page.getByRole('link', { name: 'Continue game' }).click();
    await page.getByText('No connection. Reconnecting').waitFor();
    await page.waitForSelector('.board .cell');
    await expect.poll(() => actions(page)).toBe(count);
    expect(await page.locator('.cell.touchable').count()).toBe(0);

    await app.server.start();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.locator('.cell.touchable').first().waitFor();
    await page.getByText('No connection. Reconnecting').waitFor({ state: 'detached' });
  },
);

test('the app can be installed', async () => {
  const manifest: { icons: { src: string; sizes: string }[]; start_url: string } = await (
    await fetch(`${app.url}/manifest.webmanifest`)
  ).json();
  for (const { src } of manifest.icons)
    expect((await fetch(`${app.url}${src}`)).headers.get('content-type')).toMatch(/^image\//);
  expect(manifest.start_url).toBe('/');
});

test('the service worker stores the files that the build wrote', async () => {
  const read = async (path: string) => (await fetch(app.url + path)).text();
  const { files }: { files: string[] } = JSON.parse(
    /= (\{"version".*\});/.exec(await read('/service-worker.js'))![1]!,
  );
  for (const file of files) expect([file, (await fetch(app.url + file)).status]).toEqual([file, 200]);
  for (const [, file] of (await read('/')).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
    expect(files).toContain(file);
});
