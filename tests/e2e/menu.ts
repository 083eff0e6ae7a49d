/** The menu of a match, and its groups. */
import type { Locator, Page } from 'playwright-core';

export async function openMenu(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(Menu|More|メニュー|その他)$/ })
    .filter({ visible: true })
    .click();
  await page.locator('dialog .entries').waitFor();
}

/** Returns an entry of the open menu, and opens its group. */
export async function menuEntry(page: Page, name: string | RegExp): Promise<Locator> {
  const button = page.locator('button').filter({ hasText: name });
  const group = page.locator('.entries details:not([open])', { has: button });
  if ((await group.count()) > 0) await group.locator('summary').click();
  return page.locator('dialog .entries').getByRole('button', { name });
}

/** Opens the menu and chooses an entry. */
export async function chooseEntry(page: Page, name: string | RegExp): Promise<void> {
  await openMenu(page);
  await (await menuEntry(page, name)).click();
}
