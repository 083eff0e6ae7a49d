/** Without the network, after a first visit. */
import { expect, test } from 'vitest';
import { startApp } from './app';

const app = startApp();

test('the start page, the lessons and a rule book read before open without the network', async () => {
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
});

test('the app can be installed', async () => {
  const manifest: { icons: { src: string; sizes: string }[]; start_url: string } = await (
    await fetch(`${app.url}/manifest.webmanifest`)
  ).json();
  for (const { src } of manifest.icons)
    expect((await fetch(`${app.url}${src}`)).headers.get('content-type')).toMatch(/^image\//);
  expect(manifest.start_url).toBe('/');
});
