/**
 * Translation of a game's texts, with parameters.
 *
 * The same as `crates/core/src/locale.rs`; both pass `tests/data/words.json`.
 */
import type { Param, Text } from '../api/view';

/** The language of texts that another language lacks. */
export const FALLBACK = 'en';

/** A text, or plural forms that the parameter `n` selects. */
export type Entry = string | ({ other: string } & { [form in Intl.LDMLPluralRule]?: string });
export type WordList = Record<string, Entry>;

/** Returns the text in the language. A missing key shows as `⟨key⟩`. */
export function translate(words: WordList, language: string, text: Text): string {
  if (!Object.hasOwn(words, text.key)) return `⟨${text.key}⟩`;
  const entry = words[text.key] as Entry;
  const params = text.params ?? {};
  return template(entry, language, params).replace(/\{([^}]*)\}/g, (whole, name: string) => {
    const param: Param | undefined = Object.hasOwn(params, name) ? params[name] : undefined;
    if (param === undefined) return whole;
    return typeof param === 'object' ? translate(words, language, param) : String(param);
  });
}

/** The text without coordinates, where the list has one: under `KEY.plain`. */
export function withoutCoordinates(words: WordList, text: Text): Text {
  const plain = `${text.key}.plain`;
  const params = Object.entries(text.params ?? {}).map(([name, param]) => [
    name,
    typeof param === 'object' ? withoutCoordinates(words, param) : param,
  ]);
  return {
    key: Object.hasOwn(words, plain) ? plain : text.key,
    ...(params.length > 0 ? { params: Object.fromEntries(params) as Record<string, Param> } : {}),
  };
}

/** Whether the list has the key. */
export function hasText(words: WordList, key: string): boolean {
  return Object.hasOwn(words, key);
}

function template(entry: Entry, language: string, params: Record<string, Param>): string {
  if (typeof entry === 'string') return entry;
  const number = params['n'];
  // Negative numbers have no singular.
  if (typeof number !== 'number' || number < 0) return entry.other;
  return entry[new Intl.PluralRules(language).select(number)] ?? entry.other;
}
