// Writes src/messages.ts: a function for each message of messages/en.json, with the types of its parameters.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function writeMessages() {
  const file = new URL('../messages/en.json', import.meta.url);
  const functions = Object.entries(JSON.parse(readFileSync(file, 'utf8')))
    .filter(([key]) => !key.startsWith('language_'))
    .map(([key, text]) => {
      const names = [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))];
      const params = names.map((name) => `${name}: string | number`).join('; ');
      return names.length > 0
        ? `export const ${key} = (params: { ${params} }) => format('${key}', params);`
        : `export const ${key} = () => format('${key}');`;
    });
  const source = [
    '// Made from messages/en.json by scripts/messages.js: do not edit.',
    "import { format } from './lib/i18n/languages';",
    ...functions,
    '',
  ].join('\n');
  writeFileSync(new URL('../src/messages.ts', import.meta.url), source);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeMessages();
