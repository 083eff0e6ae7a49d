import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Text } from '../../src/lib/api/view';
import { hasText, translate, type WordList } from '../../src/lib/i18n/translate';

interface Vector {
  language: string;
  words: WordList;
  text: Text;
  said: string;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../tests/data/words.json', import.meta.url), 'utf8'),
) as Vector[];

test('there are vectors shared with the core', () => {
  expect(vectors.length).toBeGreaterThan(10);
});

test.each(vectors)('$language: $said', ({ language, words, text, said }) => {
  expect(translate(words, language, text)).toBe(said);
});

test('names of object members are not words of a game', () => {
  expect(hasText({}, 'toString')).toBe(false);
});
