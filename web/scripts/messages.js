// Writes src/messages.ts: the messages of messages/en.json as methods, with the types of their parameters.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function writeMessages() {
  const file = new URL('../messages/en.json', import.meta.url);
  const methods = Object.entries(JSON.parse(readFileSync(file, 'utf8')))
    .filter(([key]) => !key.startsWith('language_'))
    .map(([key, text]) => {
      const names = [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))];
      const params = names.map((name) => `${name}: string | number`).join('; ');
      return names.length > 0 ? `  ${key}(params: { ${params} }): string;` : `  ${key}(): string;`;
    });
  const source = [
    '// Made from messages/en.json by scripts/messages.js: do not edit.',
    "import { format } from './lib/i18n/languages';",
    '',
    'interface Messages {',
    ...methods,
    '}',
    '',
    '/** Each message by its key: looked up, so that a page loads no function for each. */',
    'export const m = new Proxy({} as Messages, {',
    '  get: (_, key) => (params?: Record<string, string | number>) => format(String(key), params),',
    '});',
    '',
  ].join('\n');
  writeFileSync(new URL('../src/messages.ts', import.meta.url), source);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeMessages();
