/** View features that no current game uses: several actions with the same touches, buttons, warnings. */
import { expect, test } from 'vitest';
import { startApp, screenshot } from './app';
import { actions, startGame } from './play';

interface Action {
  token: string;
  touches: string[];
  turn?: number;
  label: { key: string; params?: Record<string, unknown> };
  kind: string;
  preview?: unknown[];
  warning?: { key: string };
}

const app = startApp();

/** Opens a match whose actions are changed on the way to the browser. */
async function meddled(meddle: (actions: Action[]) => void, hasTouch = false) {
  const visited = await app.openPage({ hasTouch });
  const sent: string[] = [];
  await visited.page.routeWebSocket(/\/socket$/, (socket) => {
    const there = socket.connectToServer();
    socket.onMessage((message) => {
      sent.push(String(message));
      there.send(message);
    });
    there.onMessage((message) => {
      const heard = JSON.parse(String(message)) as { snapshot?: { view: { actions: Action[] } } };
      if (heard.snapshot) meddle(heard.snapshot.view.actions);
      socket.send(JSON.stringify(heard));
    });
  });
  await startGame(visited.page, 'person');
  const played = () =>
    sent
      .map((message) => JSON.parse(message) as { type: string; token?: string })
      .filter(({ type }) => type === 'command');
  return { ...visited, played };
}

test('several actions with the same touches open a menu', async () => {
  const { page, played } = await meddled((all) => {
    all.push(...all.map((action) => ({ ...action, token: 'other', label: { key: 'kind.move-chip' } })));
  });
  await page.locator('.cell.touchable').first().click({ force: true });
  const menu = page.getByRole('group', { name: 'Choose an action' });
  await menu.waitFor();
  expect(await menu.getByRole('button').count()).toBe(3);
  await menu.locator('button:first-of-type:focus').waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  expect(await page.locator('.cell.chosen').count()).toBe(0);
  expect(played()).toEqual([]);
  // The focus is back where it was.
  await page.keyboard.press('Enter');
  await menu.waitFor();
  await screenshot(page, 'menu');
  await page.keyboard.press('1');
  await page.waitForFunction(() => document.querySelectorAll('.moves .entry').length === 1);
  expect(played()).toHaveLength(1);
});

test('an action without cells is a button, and one that cannot be undone warns first', async () => {
  const { page, played } = await meddled((all) => {
    const [first] = all;
    if (!first) return;
    all.push({ ...first, touches: [], label: { key: 'kind.move-pawn' }, warning: { key: 'prompt.over' } });
  });
  await page.locator('.prompt').getByRole('button', { name: 'Move pawn' }).click();
  const warning = page.locator('.prompt .warning');
  expect((await warning.textContent())?.length).toBeGreaterThan(5);
  expect(played()).toEqual([]);
  await page.keyboard.press('Escape');
  await warning.waitFor({ state: 'detached' });
  // The same by the letter on the button.
  const button = page.locator('.prompt').getByRole('button', { name: 'Move pawn' });
  expect(await button.getAttribute('aria-keyshortcuts')).toBe('o');
  await page.keyboard.press('o');
  await warning.waitFor();
  expect(played()).toEqual([]);
  await page.locator('.prompt .strong').click();
  await page.waitForFunction(() => document.querySelectorAll('.moves .entry').length === 1);
  expect(played()).toHaveLength(1);
});

test('an error of the server is shown with the current position', async () => {
  let meddling = true;
  const { page } = await meddled((all) => {
    if (!meddling) return;
    all.splice(1);
    for (const action of all) action.token = 'nonsense';
  });
  meddling = false;
  const cells = page.locator('.cell.touchable');
  expect(await cells.count()).toBe(1);
  await cells.click({ force: true });
  await page.locator('.prompt .problem').waitFor();
  expect((await page.locator('.prompt .problem').textContent())?.trim().length).toBeGreaterThan(10);
  await expect.poll(() => cells.count()).toBeGreaterThan(1);
  expect(await actions(page)).toBe(0);
  await cells.first().click({ force: true });
  await page.waitForFunction(() => document.querySelectorAll('.moves .entry').length === 1);
  expect(await page.locator('.prompt .problem').count()).toBe(0);
});

test('a piece is rotated by button, key, wheel and tap, and placed in that rotation', async () => {
  const { page, played, errors } = await meddled((all) => {
    const [first, second] = all;
    if (!first || !second) return;
    const [here, there] = [first.touches[0] ?? '', second.touches[0] ?? ''];
    const lay = (cell: string, turn: number): Action => ({
      ...first,
      token: cell === here && turn === 180 ? first.token : `${cell}@${turn}`,
      touches: [there, cell],
      turn,
      preview: [{ ...(first.preview?.[0] as object), turn }],
      warning: { key: 'prompt.over' },
    });
    all.splice(0, all.length, lay(here, 0), lay(here, 90), lay(here, 180), lay(there, 90));
  }, true);
  // The server does not know these actions.
  await page.route('**/prospect?*', (route) => route.fulfill({ json: { pieces: [], lines: [], texts: [] } }));
  const turn = page.locator('.prompt').getByRole('button', { name: 'Rotate', exact: true });
  expect(await turn.count()).toBe(0);
  await page.locator('.cell.touchable').first().click({ force: true });
  await turn.waitFor();
  const place = page.locator('.cell.touchable').first();
  await expect.poll(() => page.locator('.cell.touchable').count()).toBe(1);

  // The preview shows it, and nothing is played.
  await place.click({ force: true });
  await page.locator('.prompt .warning').waitFor();
  const ghost = () => page.locator('.board .preview use').first().getAttribute('transform');
  await expect.poll(ghost).toBeNull();
  await page.keyboard.press('r');
  await expect.poll(ghost).toBe('rotate(90)');
  await page.keyboard.press('Shift+R');
  await expect.poll(ghost).toBeNull();
  await turn.click();
  await expect.poll(ghost).toBe('rotate(90)');
  await page.locator('.cell.chosen').last().click({ force: true });
  await expect.poll(ghost).toBe('rotate(180)');
  await page.mouse.wheel(0, 100);
  await expect.poll(ghost).toBeNull();
  // A continuing wheel movement is one step.
  await page.waitForTimeout(200);
  await page.mouse.wheel(0, -100);
  await expect.poll(ghost).toBe('rotate(180)');
  // A tap of two fingers.
  const box = await page.locator('.board').boundingBox();
  const touchPoints = [0.4, 0.6].map((part) => ({
    x: (box?.x ?? 0) + (box?.width ?? 0) * part,
    y: (box?.y ?? 0) + 60,
  }));
  const hand = await page.context().newCDPSession(page);
  // At once: a longer touch is no tap.
  await Promise.all([
    hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints }),
    hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  ]);
  await expect.poll(ghost).toBeNull();
  await page.keyboard.press('Shift+R');
  expect(played()).toEqual([]);
  await page.keyboard.press('c');
  await page.waitForFunction(() => document.querySelectorAll('.moves .entry').length === 1);
  expect(played()).toHaveLength(1);
  expect(errors).toEqual([]);
});

test('the prospect of an action is shown and announced before it is played', async () => {
  const { page } = await meddled(() => undefined);
  const line = {
    id: 'l',
    owner: 1,
    label: { key: 'kind.move-pawn' },
    path: [
      [0, 0],
      [0.5, 0],
      [1, 1],
    ],
    counts: [{ at: [0.5, 0], n: 7 }],
  };
  const asked: string[] = [];
  await page.route('**/prospect?*', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ json: { pieces: [], lines: [line], texts: [{ key: 'kind.move-chip' }] } });
  });
  await page.locator('.cell.touchable').first().hover({ force: true });
  await page.locator('.board .lines.foreseen [data-line=l]').waitFor();
  expect(await page.locator('.board .foreseen text').textContent()).toBe('7');
  expect((await page.locator('.prompt .foreseen').textContent())?.length).toBeGreaterThan(3);
  expect(asked).toHaveLength(1);
  await page.mouse.move(0, 0);
  await page.locator('.board .foreseen').waitFor({ state: 'detached' });
  await page.locator('.prompt .foreseen').waitFor({ state: 'detached' });
});
