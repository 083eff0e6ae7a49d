/** The keys of a board, the same on every screen with one. */
import { describePosition, type Translate } from '../board/describe';
import { grammar } from '../i18n/catalogue.svelte';
import type { View } from '../api/view';
import type { Interaction } from './interaction.svelte';
import { assignShortcuts } from './shortcuts';

export type Keys = Record<string, (event: KeyboardEvent) => void>;

interface Screen {
  view: () => View | undefined;
  t: Translate;
  focusBoard: () => void;
  openRules: () => void;
}

/** The keys that every screen has. */
export const boardKeys = (board: Interaction, { view, t, focusBoard, openRules }: Screen): Keys => ({
  c: () => {
    if (board.toConfirm) board.choose(board.toConfirm);
  },
  r: (event) => board.rotate(event.shiftKey ? -1 : 1),
  b: () => focusBoard(),
  p: () => {
    const now = view();
    if (now) for (const line of describePosition(now, t, grammar)) board.say(line);
  },
  i: () => openRules(),
  Escape: () => board.cancel(),
});

/** The key of an event; null: it belongs to the browser, a dialog or a field. */
export function keyOf({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): string | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (!(target instanceof Element) || target.closest('dialog, input, select, textarea')) return null;
  return key.length === 1 ? key.toLowerCase() : key;
}

/** Does what a key means: one of the keys of the screen, or the letter of an action. */
export function pressKey(event: KeyboardEvent, key: string, board: Interaction, keys: Keys): void {
  const act = keys[key];
  const action = board.choices ? undefined : assignShortcuts(board.options.buttons).get(key);
  if (act) act(event);
  else if (action) board.pressButton(action);
  else return;
  event.preventDefault();
}
