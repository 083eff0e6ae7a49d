/** Keyboard shortcuts of actions without cells, the same in every language. */
import type { ActionView } from '../api/view';

/** Keys of the page itself. */
const TAKEN = 'bchimpruwz';
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** Assigns each action a free letter of its kind or token, as far as letters last. */
export function assignShortcuts(actions: readonly ActionView[]): Map<string, ActionView> {
  const given = new Map<string, ActionView>();
  for (const action of actions) {
    const wanted = `${action.kind}${action.token}`.toLowerCase() + ALPHABET;
    const letter = [...wanted].find(
      (one) => ALPHABET.includes(one) && !TAKEN.includes(one) && !given.has(one),
    );
    if (letter !== undefined) given.set(letter, action);
  }
  return given;
}
