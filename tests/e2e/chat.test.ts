/** The chat of a match in two browsers. */
import { expect, test } from 'vitest';
import { createMatch } from './play';
import { PHONE, startTwoPlayerMatch } from './twoPlayers';
import { accessibilityViolations, boxOf, startApp, screenshot } from './app';

const app = startApp();

const two = (more?: object, how?: { far?: boolean }) => startTwoPlayerMatch(app, more, how);

test('a chat message arrives, and can be muted and reported', async () => {
  const pair = await two({}, { far: true });
  const { red, blue, errors } = pair;
  await red.keyboard.press('/');
  const form = red.locator('.chat form');
  // The field has the focus.
  await expect.poll(() => form.locator('input').evaluate((input) => input.matches(':focus'))).toBe(true);
  await red.keyboard.type('Hello, Bo <b>!');
  await red.keyboard.press('Enter');
  await red.locator('.chat li').getByText('Hello, Bo <b>!').waitFor();
  const button = blue.getByRole('button', { name: '未読1件' });
  await button.waitFor();
  await expect.poll(() => blue.locator('[role=log]').textContent()).toContain('Hello, Bo <b>!');
  await screenshot(blue, 'unread-phone');
  await button.click();
  const line = blue.locator('.chat li');
  await line.getByText('Hello, Bo <b>!').waitFor();
  await blue.locator('.chat form input').fill('やあ、エイダ。');
  await blue.locator('.chat form button').click();
  await red.locator('.chat li').getByText('やあ、エイダ。').waitFor();
  await screenshot(blue, 'chat-phone');
  await screenshot(red, 'chat-desktop');
  // So it does below a problem.
  await form.locator('input').fill('see http://example.org');
  await form.locator('input').press('Enter');
  await red.locator('.chat [role=alert]').waitFor();
  const [field, tools] = await Promise.all([boxOf(form), boxOf(red.locator('aside .tools'))]);
  expect(field.y + field.height).toBeLessThanOrEqual(tools.y);
  // The field stays visible below a long history.
  for (const number of [1, 2, 3]) {
    await form.locator('input').fill(`${number} ${'long '.repeat(98)}`);
    await form.locator('input').press('Enter');
    await line.nth(number + 1).waitFor();
  }
  for (const page of [red, blue]) {
    // The latest message is visible above the field.
    await page.waitForFunction(() => {
      const [form, last] = ['.chat form', '.chat li:last-child'].map((one) =>
        document.querySelector(one)?.getBoundingClientRect(),
      );
      return form && last && form.bottom <= innerHeight && last.bottom < form.bottom;
    });
  }
  const flag = line.first().getByRole('button', { name: '管理者に報告' });
  const asked = blue.getByRole('dialog', { name: '管理者に報告' });
  // A confirmation comes first; cancelling it changes nothing.
  const back = () => expect.poll(() => flag.evaluate((button) => button.matches(':focus'))).toBe(true);
  await flag.click();
  await asked.getByText('Hello, Bo <b>!').waitFor();
  await screenshot(blue, 'report-phone');
  await asked.getByRole('button', { name: 'キャンセル' }).click();
  await back();
  await flag.press('Enter');
  await asked.waitFor();
  await blue.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
  await back();
  expect(await line.first().isVisible()).toBe(true);
  await blue.keyboard.press('Enter');
  await asked.getByRole('button', { name: '報告する' }).press('Enter');
  const reported = line.first().getByRole('button', { name: '報告しました' });
  await reported.waitFor();
  expect(await reported.evaluate((button) => button.matches(':focus'))).toBe(true);
  await blue.locator('.chat .mutes input').check();
  await blue.waitForFunction(() => document.querySelectorAll('.chat li').length === 1);
  expect(errors).toEqual([[], []]);
});

test(
  'the chat is beside the moves, can be closed, and a phone sees the board above it',
  { tags: 'long' },
  async () => {
    const pair = await two({ time: { kind: 'main', seconds: 300, increment: 0 } }, { far: true });
    const { red, blue, errors } = pair;
    const dock = red.locator('aside .chat');
    await dock.waitFor();
    expect(await accessibilityViolations(red)).toEqual([]);
    // A phrase is read in the language of each reader.
    await dock.getByRole('button', { name: 'Nice move!' }).click();
    await dock.locator('li.mine', { hasText: 'Nice move!' }).waitFor();
    await expect.poll(() => blue.locator('[role=log]').textContent()).toContain('いい手ですね');
    await blue.getByRole('button', { name: '未読1件' }).click();
    const sheet = blue.getByRole('dialog', { name: 'チャット' });
    await sheet.locator('li', { hasText: 'いい手ですね' }).waitFor();
    expect(await accessibilityViolations(blue)).toEqual([]);
    await screenshot(blue, 'chat-sheet');
    const top = (await sheet.boundingBox())?.y ?? 0;
    for (const part of await blue.locator('.seat, .countdown, .board .cell.touchable').all()) {
      const box = await part.boundingBox();
      if (box) expect(box.y + box.height).toBeLessThanOrEqual(top + 1);
    }
    await blue.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    // Closed, it stays closed.
    await screenshot(red, 'chat-dock');
    const cell = red.locator('.board .cell').first();
    const before = await cell.boundingBox();
    await red.locator('.dock').getByRole('button', { name: 'Close' }).click();
    await dock.waitFor({ state: 'detached' });
    expect(await cell.boundingBox()).toEqual(before);
    await red.reload();
    await red.waitForSelector('.board .cell');
    await red.locator('aside').getByRole('button', { name: 'Chat' }).click();
    await dock.waitFor();
    expect(errors).toEqual([[], []]);
  },
);

test('spectators mute each of several players in one row', { tags: 'long' }, async () => {
  const seats = ['Ada', 'Bo', 'Cy'].map((name) => ({ kind: 'person', name }));
  const { match } = await createMatch(app.url, { game: 'passtally', options: { players: 3 }, seats });
  for (const device of [{ viewport: { width: 1440, height: 1000 } }, PHONE]) {
    const { page, errors } = await app.openPage({ at: `/match/${match}`, ...device });
    await page.waitForSelector('.board .cell');
    if ((await page.locator('.chat').count()) === 0) await page.locator('.talk:visible').click();
    const row = await boxOf(page.locator('.chat .mutes'));
    expect(row.height).toBeLessThan(50);
    const last = page.getByRole('checkbox', { name: 'Mute Cy' });
    await last.check();
    const box = await boxOf(last);
    expect(box.x + box.width).toBeLessThanOrEqual(row.x + row.width);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  }
});

test('on low screens the chat leaves board and clocks visible', { tags: 'long' }, async () => {
  const pair = await two({ time: { kind: 'main', seconds: 300, increment: 0 } });
  const { red, blue, errors } = pair;
  for (const [page, width, height] of [
    [red, 1280, 720],
    [blue, 820, 1180],
    [blue, 844, 390],
    [red, 740, 360],
    [red, 1024, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.reload();
    await page.waitForSelector('.board .cell');
    expect(await page.locator('.chat').count()).toBe(0);
    await page.locator('.talk:visible').click();
    await page.locator('.chat').waitFor();
    const chat = await boxOf(page.locator('.chat'));
    expect(chat.height).toBeGreaterThan(100);
    for (const part of await page.locator('.countdown, .board .cell.touchable').all()) {
      const box = await boxOf(part);
      const clear = box.x + box.width <= chat.x + 1 || box.y + box.height <= chat.y + 1;
      expect(clear, `${width} × ${height}`).toBe(true);
    }
    const field = await boxOf(page.locator('.chat form'));
    expect(field.y + field.height).toBeLessThanOrEqual(height);
    await screenshot(page, `chat-${width}`);
    await page.locator('dialog, .dock').getByRole('button', { name: 'Close' }).click();
    await page.locator('.chat').waitFor({ state: 'detached' });
  }
  await red.setViewportSize({ width: 1280, height: 720 });
  await red.locator('.moves').waitFor();
  expect(errors).toEqual([[], []]);
});

test('an unsent message returns to the field with the reason', { tags: 'long' }, async () => {
  const pair = await two({}, { far: true });
  const reasons = [
    [pair.red, 'Too many messages'],
    [pair.blue, '発言が多すぎます'],
  ] as const;
  for (const [page, reason] of reasons) {
    let refusing = true;
    const error = { code: 'chat-limit', params: {}, message: '' };
    await page.routeWebSocket(/\/socket$/, (socket) => {
      const there = socket.connectToServer();
      there.onMessage((message) => socket.send(message));
      socket.onMessage((message) => {
        const { type } = JSON.parse(String(message)) as { type: string };
        if (type === 'say' && refusing) socket.send(JSON.stringify({ type: 'refused', id: null, error }));
        else there.send(message);
      });
    });
    await page.reload();
    await page.waitForSelector('.board .cell');
    await page.keyboard.press('/');
    const field = page.locator('.chat form input');
    const problem = page.locator('.chat [role=alert]');
    await field.fill('  What I wanted  to say ');
    await field.press('Enter');
    await problem.filter({ hasText: reason }).waitFor();
    await expect.poll(() => field.inputValue()).toBe('What I wanted to say');
    await screenshot(page, `not-said-${reason.length}`);
    refusing = false;
    await field.press('Enter');
    await page.locator('.chat li.mine', { hasText: 'What I wanted to say' }).waitFor();
    expect(await field.inputValue()).toBe('');
    await problem.waitFor({ state: 'detached' });
  }
  expect(pair.errors).toEqual([[], []]);
});

test(
  'on a small laptop everything beside the board is visible, with the chat too',
  { tags: 'long' },
  async () => {
    const { red } = await two();
    await red.setViewportSize({ width: 1000, height: 650 });
    await red.getByRole('button', { name: 'Chat' }).waitFor();
    const right = await red
      .locator('aside, aside button, .moves .entry')
      .evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
    expect(right).toBeLessThanOrEqual(1000);
  },
);

test(
  'on the smallest phone no dialog is wider than the page, whatever the names',
  { tags: 'long' },
  async () => {
    const seats = ['m'.repeat(40), 'Bo'].map((name) => ({ kind: 'person', name }));
    const { blue } = await two({ seats }, { far: true });
    await blue.setViewportSize({ width: 320, height: 568 });
    for (const [key, part] of [
      ['/', '.foot form'],
      ['?', 'kbd'],
      ['i', '.book h1'],
    ] as const) {
      await blue.keyboard.press(key);
      await blue.locator(`dialog ${part}`).first().waitFor();
      const wide = await blue.locator('dialog, dialog *').evaluateAll((all) =>
        all
          .filter((one) => one.scrollWidth > one.clientWidth + 1)
          // The quick phrases scroll sideways.
          .filter((one) => !one.matches('.phrases') && /auto|scroll/.test(getComputedStyle(one).overflowX))
          .map((one) => `${one.className} ${one.scrollWidth}`),
      );
      expect(wide, key).toEqual([]);
      await blue.keyboard.press('Escape');
      await blue.locator('dialog').waitFor({ state: 'detached' });
    }
  },
);
