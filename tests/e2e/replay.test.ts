/** The page of a replay, as `tavola picture` writes it: buttons, keys, slider, languages. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityViolations, BLANK, startApp, screenshot, tavola } from './app';

const app = startApp();
let folder = '';
let address = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tavola-replay-'));
  const record = join(folder, 'game.txt');
  const page = join(folder, 'game.html');
  writeFileSync(record, '[Game "potlatch"]\n\n1. Pnw Pw 2. Pne\n');
  execFileSync(tavola, ['picture', record, '-o', page, '--lang', 'en']);
  address = pathToFileURL(page).href;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const colorScheme of ['light', 'dark'] as const) {
  const tags = colorScheme === 'dark' ? ['long'] : [];
  test(`a replay is played by buttons, keys and slider (${colorScheme})`, { tags }, async () => {
    const { page, errors } = await app.openPage({
      at: BLANK,
      colorScheme,
      viewport: { width: 360, height: 780 },
    });
    const requests: string[] = [];
    await page.goto(address);
    page.on('request', (request) => requests.push(request.url()));
    const caption = page.locator('#caption');
    const slider = page.locator('#slider');
    const shown = () => page.locator('#picture svg').getAttribute('aria-label');
    await expect.poll(() => caption.textContent()).toBe('Starting position');
    const start = await shown();

    await page.getByRole('button', { name: 'Forward' }).click();
    expect(await caption.textContent()).toContain('Red moves the pawn');
    expect(await shown()).not.toBe(start);
    await page.keyboard.press('End');
    expect(await slider.inputValue()).toBe('3');
    expect(await slider.getAttribute('aria-label')).toBe('Position');
    expect(await slider.getAttribute('aria-valuetext')).toBe('Turn 2, 3 of 3 actions');
    expect(await page.getByRole('button', { name: 'Forward' }).isDisabled()).toBe(true);
    await page.keyboard.press('Home');
    expect(await shown()).toBe(start);
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await slider.inputValue()).toBe('1');

    await page.getByRole('button', { name: '日本語' }).click();
    expect(await page.locator('html').getAttribute('lang')).toBe('ja');
    expect(await caption.textContent()).toContain('赤');
    expect(await page.title()).toBe('ポトラッチクロネ');
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, `replay-${colorScheme}`);

    await page.getByRole('button', { name: '再生' }).click();
    await expect.poll(() => slider.inputValue()).toBe('3');
    await expect.poll(() => page.getByRole('button', { name: '再生' }).count()).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(requests.filter((url) => /^https?:/.test(url))).toEqual([]);
    expect(errors).toEqual([]);
  });
}
