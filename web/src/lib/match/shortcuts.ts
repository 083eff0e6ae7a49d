/** Letters for the actions that need no cell: the same in every language. */
import type { ActionView } from '../api/view';

/** What the page itself listens to. */
const TAKEN = 'bchimpru';
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** For every action a letter of its kind or token that is still free, as long as there are any. */
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
