/** The languages, each a file `messages/LANGUAGE.json`, and the messages of the client in them. */
import type { Language } from '../api/types';
import type { Param } from '../api/view';
import { FALLBACK, translate, type WordList } from './translate';

const files = Object.entries(
  import.meta.glob<WordList>('../../../messages/*.json', { eager: true, import: 'default' }),
).map(([path, words]) => [path.replace(/.*\/|\.json$/g, ''), words] as const);

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

export const LANGUAGES: Language[] = files.map(([language]) => language);

const messages = completed(Object.fromEntries(files));

/** The message in a language; absent: in that of the page. */
export function format(key: string, params: Record<string, Param> = {}, language = current()): string {
  return translate(inLanguage(messages, language), language, { key, params });
}

/** A property of a language that its file sets: its own `name`, or its `direction`, `fonts` or `comment` style. */
export const propertyOf = (
  language: Language,
  property: 'name' | 'direction' | 'fonts' | 'comment',
): string => format(`language_${property}`, {}, language);

/** The language that a reader of `tags`, the best one first, understands. */
export function negotiate(tags: readonly string[]): Language {
  for (const tag of tags) {
    const found = [tag, tag.split('-')[0]].find((known = '') => LANGUAGES.includes(known));
    if (found !== undefined) return found;
  }
  return FALLBACK;
}
