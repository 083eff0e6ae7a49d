/** The words of tournaments, which only their pages load. */
import { pageWords } from '../lib/i18n/pageWords';
import type { WordList } from '../lib/i18n/translate';
import english from './words/en.json';

export type Word = keyof typeof english;

/** A text in the language of the page. */
export const word = pageWords(
  import.meta.glob<WordList>('./words/*.json', { import: 'default', eager: true }),
  english,
);

/** A text whose key ends with a value of the server, such as a format. */
export const wordOf = (group: 'format' | 'about' | 'status' | 'left' | 'explain', value: string): string =>
  word(`${group}.${value}` as Word);
