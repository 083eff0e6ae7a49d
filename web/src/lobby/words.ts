/** The words of quick pairing and of games from a position, which only their pages load. */
import { pageWords } from '../lib/i18n/pageWords';
import type { WordList } from '../lib/i18n/translate';
import english from './words/en.json';

/** A text in the language of the page. */
export const word = pageWords(
  import.meta.glob<WordList>('./words/*.json', { import: 'default', eager: true }),
  english,
);
