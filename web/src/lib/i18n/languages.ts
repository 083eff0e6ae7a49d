/** The languages, each a file `messages/LANGUAGE.json`, and the messages of the client in them. */
import type { Language } from '../api/types';
import type { Param } from '../api/view';
import english from '../../../messages/en.json';
import { FALLBACK, translate, type WordList } from './translate';

/** The words of each language about itself, from its file; `vite.config.ts` inserts them. */
declare const __LANGUAGES__: Record<Language, WordList>;

/** The files of the other languages, fetched when a reader needs them. */
const files = import.meta.glob<WordList>(['../../../messages/*.json', '!../../../messages/en.json'], {
  import: 'default',
});

let current = (): Language => FALLBACK;

/** Sets the language of the page. It is read on every call, so that the page changes with it. */
export function followLanguage(language: () => Language): void {
  current = language;
}

/** A text or a list of words in a language, absent: in that of the page. */
export const inLanguage = <Kind>(texts: Readonly<Record<Language, Kind>>, language = current()): Kind =>
  texts[language] ?? (texts[FALLBACK] as Kind);

/** Adds the words that a language lacks to every language of the client. */
export const completed = (lists: Record<Language, WordList>): Record<Language, WordList> =>
  Object.fromEntries(
    LANGUAGES.map((language) => [language, { ...lists[FALLBACK], ...lists[language] }] as const),
  );

export const LANGUAGES: Language[] = Object.keys(__LANGUAGES__);

const properties = completed(__LANGUAGES__);

/** The messages of the languages fetched so far. */
const messages: Record<Language, WordList> = { [FALLBACK]: english };

/** Fetches the messages of a language. If that fails, they are in English. */
export async function loadLanguage(language: Language): Promise<void> {
  const file = files[`../../../messages/${language}.json`];
  if (!file || messages[language]) return;
  try {
    messages[language] = { ...english, ...(await file()) };
  } catch (error) {
    console.warn(error);
  }
}

/** The message in a language; absent: in that of the page. */
export function format(key: string, params: Record<string, Param> = {}, language = current()): string {
  return translate(inLanguage(messages, language), language, { key, params });
}

/** The word "language" in a language. */
export const wordFor = (language: Language): string =>
  translate(inLanguage(properties, language), language, { key: 'language' });

/** A property of a language that its file sets: its own `name`, or its `direction`, `fonts` or `comment` style. */
export const propertyOf = (
  language: Language,
  property: 'name' | 'direction' | 'fonts' | 'comment',
): string => translate(inLanguage(properties, language), language, { key: `language_${property}` });

/** The language that a reader of `tags`, the best one first, understands. */
export function negotiate(tags: readonly string[]): Language {
  for (const tag of tags) {
    const found = [tag, tag.split('-')[0]].find((known = '') => LANGUAGES.includes(known));
    if (found !== undefined) return found;
  }
  return FALLBACK;
}
