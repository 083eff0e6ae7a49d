/** Notifications of this browser while no page is open, as far as a browser without a push service goes. */
import { expect, test } from 'vitest';
import { accessibilityViolations, BLANK, startApp } from './app';

const app = startApp({ own: ['--push'] });

test(
  'one click subscribes this browser, or says why it cannot and what to do instead',
  { tags: 'long' },
  async () => {
    const { page } = await app.openPage({
      at: BLANK,
      serviceWorkers: 'allow',
      permissions: ['notifications'],
    });
    const body = { name: 'Push Ada', password: 'correct horse' };
    const made = await page.request.post(`${app.url}/api/account`, { data: body });
    expect(made.ok()).toBe(true);
    await page.goto(`${app.url}/account`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    await page.getByRole('button', { name: 'Notify this browser' }).click();
    const failed = page.getByRole('alert').filter({ hasText: "can't reach its push service" });
    const added = page.getByRole('button', { name: 'Remove' });
    await failed.or(added).first().waitFor();
    if (await failed.isVisible()) await page.getByText('or add an email address').waitFor();
    else expect(await page.locator('input[type=checkbox]:checked').count()).toBeGreaterThan(5);
    expect(await accessibilityViolations(page)).toEqual([]);
  },
);

test('a browser that blocks notifications is told so', async () => {
  const { page } = await app.openPage({ at: BLANK, serviceWorkers: 'allow', permissions: [] });
  await page.addInitScript(() => {
    Notification.requestPermission = () => Promise.resolve('denied');
  });
  const body = { name: 'Push Ben', password: 'correct horse' };
  await page.request.post(`${app.url}/api/account`, { data: body });
  await page.goto(`${app.url}/account`);
  await page.getByRole('button', { name: 'Notify this browser' }).click();
  await page.getByRole('alert').filter({ hasText: 'blocked in your browser' }).waitFor();
});
