import { expect, test } from 'vitest';
import english from '../src/tournament/words/en.json';
import { organizerSecret } from '../src/lib/tournament/secrets';

const lists = import.meta.glob<Record<string, string>>('../src/tournament/words/*.json', {
  import: 'default',
  eager: true,
});

const parameters = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test('each language has the same words with the same parameters', () => {
  expect(Object.keys(lists)).toHaveLength(2);
  for (const list of Object.values(lists)) {
    expect(Object.keys(list)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(english))
      expect(parameters(list[key] ?? '')).toEqual(parameters(text));
  }
});

test("the organizer's secret comes from the fragment of a link", () => {
  expect(organizerSecret(`#organizer=${'x'.repeat(43)}`)).toBe('x'.repeat(43));
  expect(organizerSecret('#organizer=short')).toBeUndefined();
});
