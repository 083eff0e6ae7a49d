/** A person plays in the browser against agents that the host added. */
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, screenshot, startApp } from './app';
import { canConfirm, card, confirm, playRandomAction, seededRandom, waitForTurn } from './play';

const GREEDY = ['--engine', 'Greedy=python:option.games=1 -- docs/examples/agents.py:Greedy'];
const RAISING = ['--engine', 'Raising=python:tests/engines/python_agents.py:Raises'];
const app = startApp({ own: [...GREEDY, ...RAISING] });

async function startAgainst(page: Page, agent: string): Promise<void> {
  await card(page, 'potlatch').locator('.more .button').first().click();
  await page.locator('dialog summary').click();
  await page.locator('dialog label.seat select').nth(1).selectOption({ label: agent });
  await screenshot(page, `set-up-${agent}`);
  await page.locator('dialog button[type=submit]').click();
  await page.waitForSelector('.board .cell');
}

async function playTurn(page: Page, roll: (sides: number) => number): Promise<void> {
  await waitForTurn(page);
  while (!(await canConfirm(page))) await playRandomAction(page, roll);
  await confirm(page);
}

test('a person plays the first turns against an agent', { tags: 'long' }, async () => {
  const { page, errors } = await app.openPage();
  await startAgainst(page, 'Greedy');
  const roll = seededRandom(1);
  for (let turn = 0; turn < 3; turn += 1) await playTurn(page, roll);
  await waitForTurn(page);
  expect(await page.locator('.seat .sitter').allTextContents()).toContain('Greedy');
  expect(await accessibilityViolations(page)).toEqual([]);
  await screenshot(page, 'against-greedy');
  expect(errors).toEqual([]);
});

test('an agent that fails can try again, and a level can replace it', { tags: 'long' }, async () => {
  const { page } = await app.openPage();
  await startAgainst(page, 'Raising');
  await playTurn(page, seededRandom(2));
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.textContent()).toContain(
    "The engine Raising raised KeyError: 'no idea' (python_agents.py, line 65)",
  );
  expect(await page.locator('.prompt h2').textContent()).toContain('engine failed');
  expect(await accessibilityViolations(page)).toEqual([]);
  await screenshot(page, 'agent-failed');
  await page.getByRole('button', { name: 'Retry' }).click();
  await alert.waitFor({ state: 'detached' });
  await alert.waitFor();
  await page.getByRole('button', { name: 'Use level 5' }).click();
  await waitForTurn(page);
  expect(await page.locator('.seat .sitter').allTextContents()).toContain('Computer level 5');
});

test('after a restart without the agent, the match says how to add it', { tags: 'long' }, async () => {
  const { page } = await app.openPage({ locale: 'ja' });
  await startAgainst(page, 'Raising');
  await playTurn(page, seededRandom(3));
  const alert = page.getByRole('alert');
  await alert.waitFor();
  await app.server.kill();
  await app.server.start();
  await page.reload();
  await alert.waitFor();
  expect(await alert.textContent()).toContain('tavola serve --engine Raising=ENGINE');
  await screenshot(page, 'agent-missing-ja');
  await app.server.kill();
  await app.server.start(...GREEDY, ...RAISING);
});
