/** The words of tournaments, which only their pages load. */
import type { Param } from '../lib/api/view';
import { inLanguage } from '../lib/i18n/languages';
import { FALLBACK, translate, type WordList } from '../lib/i18n/translate';
import { settings } from '../lib/platform/settings.svelte';
import english from './words/en.json';

const files = import.meta.glob<WordList>('./words/*.json', { import: 'default', eager: true });

const words = Object.fromEntries(
  Object.entries(files).map(([path, list]) => [
    /(\w+)\.json$/.exec(path)?.[1] ?? FALLBACK,
    { ...english, ...list },
  ]),
);

export type Word = keyof typeof english;

/** A text in the language of the page. */
export const word = (key: Word, params: Record<string, Param> = {}): string =>
  translate(inLanguage(words, settings.language), settings.language, { key, params });

/** A text whose key ends with a value of the server, such as a format. */
export const wordOf = (group: 'format' | 'about' | 'status' | 'left' | 'explain', value: string): string =>
  word(`${group}.${value}` as Word);
