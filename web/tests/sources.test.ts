/** Rules about the sources themselves. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const web = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, web), 'utf8');
const words = (language: string) => JSON.parse(read(`messages/${language}.json`)) as Record<string, string>;
const sources = readdirSync(new URL('src/', web), { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.(svelte|ts|css)$/.test(path) && path !== 'messages.ts',
);

test('the types of the wire are those of the schemas', () => {
  execFileSync(process.execPath, ['scripts/types.js', '--check'], { cwd: fileURLToPath(web) });
}, 30_000);

test.each(readdirSync(new URL('messages/', web)))('%s has every message with its parameters', (file) => {
  const [en, own] = [words('en'), words(file.replace('.json', ''))];
  expect(Object.keys(own)).toEqual(Object.keys(en));
  const parameters = (text = '') => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const key of Object.keys(en)) expect(parameters(own[key]), key).toEqual(parameters(en[key]));
});

test('every message is used', () => {
  const all = sources.map((path) => read(`src/${path}`)).join('\n');
  const families = [...all.matchAll(/\bformat\(`(\w+)\$\{/g)].map(([, prefix = '']) => prefix);
  const unused = Object.keys(words('en')).filter(
    (key) =>
      !families.some((prefix) => key.startsWith(prefix)) &&
      !new RegExp(`\\bm\\.${key}\\b|'${key.replace('language_', '')}'`).test(all),
  );
  expect(unused).toEqual([]);
});

test('messages, not code, join texts', () => {
  for (const path of sources.filter((one) => !one.endsWith('.css'))) {
    expect(read(`src/${path}`), path).not.toMatch(/\)\}(: |, |:<)/);
  }
});

test('no game is named', () => {
  const games = readdirSync(new URL('../games/', web));
  expect(games.length).toBeGreaterThan(0);
  for (const path of sources) {
    for (const game of games) expect(read(`src/${path}`).toLowerCase(), path).not.toContain(game);
  }
});

test('no file is too long', () => {
  for (const path of sources) {
    if (path.endsWith('.d.ts')) continue;
    expect(read(`src/${path}`).split('\n').length, path).toBeLessThanOrEqual(501);
  }
});

test('no import is circular', () => {
  const imports = new Map(
    sources
      .filter((path) => !path.endsWith('.css'))
      .map((path) => {
        const folder = new URL(`src/${path}`, web);
        const targets = [...read(`src/${path}`).matchAll(/(?:from|import) '(\.[^']*)'/g)].flatMap(
          ([, to = '']) =>
            ['', '.ts', '.d.ts'].map((end) =>
              new URL(to + end, folder).href.slice(new URL('src/', web).href.length),
            ),
        );
        return [path, targets.filter((target) => sources.includes(target))] as const;
      }),
  );
  const done = new Set<string>();
  const visit = (path: string, above: readonly string[]): void => {
    expect(above, 'circular import').not.toContain(path);
    if (done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...above, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
});

test('no element has inline styles: the policy of the page forbids it', () => {
  for (const path of sources.filter((one) => one.endsWith('.svelte'))) {
    expect(read(`src/${path}`), path).not.toMatch(/<[^>]*\sstyle="/);
  }
});

test('the lock file names no host', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved"/);
});
