import { expect, test } from 'vitest';

const lists = import.meta.glob<Record<string, string>>('../src/*/words/*.json', {
  import: 'default',
  eager: true,
});

const parameters = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test('each language has the same words with the same parameters', () => {
  const folders = new Set(Object.keys(lists).map((file) => file.replace(/\w+\.json$/, '')));
  expect(folders.size).toBeGreaterThan(1);
  for (const folder of folders) {
    const [english, ...others] = ['en', 'ja'].map((language) => lists[`${folder}${language}.json`] ?? {});
    for (const list of others) {
      expect(Object.keys(list)).toEqual(Object.keys(english ?? {}));
      for (const [key, text] of Object.entries(english ?? {}))
        expect(parameters(list[key] ?? '')).toEqual(parameters(text));
    }
  }
});
