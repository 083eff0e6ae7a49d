/** The reason for a rejected touch can be read on a phone, whichever cell was touched. */
import { expect, test } from 'vitest';
import { startApp, BLANK } from './app';
import { type GameName, GAMES, openGame, SHORT } from './play';

const app = startApp();

const SIZES = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
];

/** Touches each cell that cannot be selected; returns the reasons that cannot be read. */
const readable = async (game: GameName): Promise<void> => {
  for (const viewport of SIZES)
    for (const locale of ['en', 'ja']) {
      const { page } = await app.openPage({ at: BLANK, viewport, locale });
      await openGame(page, app.url, 'person', game);
      const faults = await page.evaluate(async () => {
        const found = new Set<string>();
        for (const cell of document.querySelectorAll('.board .cell:not(.touchable)')) {
          cell.dispatchEvent(new MouseEvent('click', { bubbles: true }));
          for (let frame = 0; frame < 4; frame += 1)
            await new Promise((drawn) => requestAnimationFrame(drawn));
          const reason = document.querySelector('.rejection p');
          if (!reason) continue;
          const { left, right, top, bottom, width } = reason.getBoundingClientRect();
          const inside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
          const over = document.elementFromPoint((left + right) / 2, bottom - 4);
          if (!inside || width < 180 || !over?.closest('.rejection'))
            found.add(`${reason.textContent}: ${width.toFixed(0)} px wide, ends at ${bottom.toFixed(0)} px`);
        }
        return [...found];
      });
      expect(faults, `${locale}, ${viewport.width} px`).toEqual([]);
    }
};

const title = '%s: the reason for a rejection can be read on a phone';
test.each(GAMES)(title, { tags: 'long' }, readable);

test('on the analysis board of a phone a reason covers and moves nothing of the board', async () => {
  for (const viewport of SIZES) {
    const { page } = await app.openPage({ at: `/analysis?game=${SHORT}`, viewport, locale: 'ja' });
    const cell = page.locator('.board .cell:not(.touchable) .hit').first();
    const place = async () => (await cell.boundingBox())?.y.toFixed(0);
    const before = await place();
    await cell.click({ force: true });
    const reason = await page.locator('.rejection').boundingBox();
    expect(await place()).toBe(before);
    const board = await page.locator('.board').boundingBox();
    expect(reason?.y).toBeGreaterThan((board?.y ?? 0) + (board?.height ?? 0));
    expect((reason?.y ?? 0) + (reason?.height ?? 0)).toBeLessThan(viewport.height);
  }
});
