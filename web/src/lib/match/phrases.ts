/**
 * Quick phrases of the chat. A message `:thanks:` is one by its code, so that each reader sees it in their own language;
 * programs that know no phrases show the code.
 */
import { m } from '../../messages';

const PHRASES: Record<string, () => string> = {
  hello: m.phrase_hello,
  'nice-move': m.phrase_nice_move,
  'one-moment': m.phrase_one_moment,
  thanks: m.phrase_thanks,
  'good-game': m.phrase_good_game,
};

/** The messages that send the phrases. */
export const phraseMessages = Object.keys(PHRASES).map((code) => `:${code}:`);

/** Returns the text of a message in the reader's language. */
export function chatText(text: string): string {
  const code = /^:([a-z-]+):$/.exec(text)?.[1] ?? '';
  return Object.hasOwn(PHRASES, code) ? (PHRASES[code]?.() ?? text) : text;
}
