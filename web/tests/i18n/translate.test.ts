import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Text } from '../../src/lib/api/view';
import { hasText, translate, type WordList, withoutCoordinates } from '../../src/lib/i18n/translate';

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

test('texts on screen have no coordinates where the game has words without them', () => {
  const words = {
    move: 'to hex {cell}',
    'move.plain': 'to a hex',
    event: '{who}: {what}',
    seat: 'Red',
  };
  const event = {
    key: 'event',
    params: { who: { key: 'seat' }, what: { key: 'move', params: { cell: 'b2' } } },
  };
  expect(translate(words, 'en', event)).toBe('Red: to hex b2');
  expect(translate(words, 'en', withoutCoordinates(words, event))).toBe('Red: to a hex');
});
