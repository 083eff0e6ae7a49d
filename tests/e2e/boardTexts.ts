/** The texts of a board as they are drawn, those within symbols too. */
import type { Page } from 'playwright-core';

export interface BoardText {
  text: string;
  /** The symbol or the class that it belongs to. */
  where: string;
  /** The size of the font on the screen, in pixels. */
  size: number;
  /** The box of its letters. */
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns every text that the board shows; `of` selects a part of it. */
export const boardTexts = (page: Page, of = 'main'): Promise<BoardText[]> =>
  page.evaluate((of) => {
    // A symbol's texts have a place only in a copy of it.
    const copies: Element[] = [];
    const unfold = (use: Element) => {
      const symbol = document.querySelector(use.getAttribute('href') ?? '');
      if (!symbol) return;
      const copy = document.createElementNS('http://www.w3.org/2000/svg', 'g');
      copy.setAttribute('transform', use.getAttribute('transform') ?? '');
      copy.dataset['symbol'] = symbol.id;
      copy.append(symbol.cloneNode(true));
      use.after(copy);
      copies.push(copy);
      for (const inner of copy.querySelectorAll('use')) unfold(inner);
    };
    for (const use of document.querySelectorAll(`${of} svg use`)) unfold(use);
    const texts = [...document.querySelectorAll<SVGTextElement>(`${of} svg text`)];
    const shown = texts.filter((text) => text.checkVisibility({ visibilityProperty: true }));
    const found = shown.map((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      // Without the room above and below digits and capitals.
      const room = (bottom - top) * 0.2;
      return {
        text: text.textContent.trim(),
        where:
          text.closest<SVGGElement>('[data-symbol]')?.dataset['symbol'] ??
          [...text.classList, ...(text.parentElement?.classList ?? [])].find(
            (name) => !name.startsWith('svelte'),
          ) ??
          '',
        size: (text.getScreenCTM()?.a ?? 0) * parseFloat(getComputedStyle(text).fontSize),
        left,
        right,
        top: top + room,
        bottom: bottom - room,
      };
    });
    for (const copy of copies) copy.remove();
    return found;
  }, of);

/** Returns the pairs of texts that lie over each other. */
export const overlaps = (texts: readonly BoardText[]): string[] =>
  texts.flatMap((one, number) =>
    texts
      .slice(number + 1)
      .filter(
        (other) =>
          Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1,
      )
      .map((other) => `${one.text} (${one.where}) over ${other.text} (${other.where})`),
  );
