/** The rule book as a page: search, and the summary to print. */
import { expect, test } from 'vitest';
import { accessibilityViolations, startApp } from './app';
import { type GameName, GAMES } from './play';

const app = startApp();

test('a search in the rule book leads to the passage', async () => {
  const { page, errors } = await app.openPage({ at: '/rules/potlatch' });
  await page.getByRole('heading', { level: 1, name: 'Potlatch Klone' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search the rules' }).fill('lose ONCE');
  await page.getByText('Found: 1').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'you lose at once' }).click();
  const found = page.locator('.found');
  expect(await found.innerText()).toMatch(/^Blocked\./);
  expect(await found.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByRole('searchbox').fill('xyzzy');
  await page.getByText('Found: 0').waitFor();
  expect(errors).toEqual([]);
});

const fitsOnePage = async (game: GameName): Promise<void> => {
  const { page, errors } = await app.openPage({ at: `/rules/${game}/summary`, locale: 'ja' });
  await page.getByText('勝利条件。').first().waitFor();
  expect(await page.getByRole('searchbox').count()).toBe(0);
  const pdf = (await page.pdf({ format: 'A4', margin: { top: '1cm', bottom: '1cm' } })).toString('latin1');
  expect(pdf.match(/\/Type ?\/Page\b/g)).toHaveLength(1);
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
};

const title = 'the summary of %s fits one printed page';
test.each(GAMES.filter((game) => game === 'montana'))(title, fitsOnePage);
test.each(GAMES.filter((game) => game !== 'montana'))(title, { tags: 'long' }, fitsOnePage);

test('the rules of an unknown game are reported', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ at: '/rules/nosuch' });
  await page.getByRole('alert').waitFor();
});
