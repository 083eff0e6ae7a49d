/** The words of pages that load them with themselves, so that the first script is without them. */
import { settings } from '../platform/settings.svelte';
import type { Param } from '../api/view';
import { inLanguage } from './languages';
import { FALLBACK, translate, type WordList } from './translate';

/**
 * Returns the function that gives a text in the language of the page.
 *
 * `files`: the lists of all languages by file; `english`: the list of English, for missing texts.
 */
export function pageWords<English extends WordList>(files: Record<string, WordList>, english: English) {
  const words = Object.fromEntries(
    Object.entries(files).map(([path, list]) => [
      /(\w+)\.json$/.exec(path)?.[1] ?? FALLBACK,
      { ...english, ...list },
    ]),
  );
  return (key: keyof English & string, params: Record<string, Param> = {}): string =>
    translate(inLanguage(words, settings.language), settings.language, { key, params });
}
