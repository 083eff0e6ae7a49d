// Writes src/lib/api/view.d.ts from schema/view.schema.json. With --check, only says whether it is current.
import { readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';

const schema = new URL('../schema/view.schema.json', import.meta.url);
const types = new URL('../src/lib/api/view.d.ts', import.meta.url);

/** A reference with a description of its own would become a second type: name the first instead. */
function named(node) {
  if (Array.isArray(node)) return node.map(named);
  if (node === null || typeof node !== 'object') return node;
  // A pair, as the compiler knows it.
  if ('prefixItems' in node) {
    const { prefixItems, ...rest } = node;
    return { ...rest, items: named(prefixItems), additionalItems: false };
  }
  if ('$ref' in node) {
    const { $ref, ...rest } = node;
    return { ...rest, tsType: $ref.slice($ref.lastIndexOf('/') + 1) };
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, named(value)]));
}

const wire = named(JSON.parse(await readFile(schema, 'utf8')));
const made = await compile(wire, 'Wire', {
  additionalProperties: false,
  unreachableDefinitions: true,
  bannerComment:
    '// The types of a position and its texts. Made by `npm run types` from schema/view.schema.json: do not edit.',
  style: { singleQuote: true, printWidth: 100 },
});
// A comment of one line on one line.
const tidy = made.replace(/\/\*\*\n\s*\* (.*)\n\s*\*\//g, '/** $1 */');

if (process.argv.includes('--check')) {
  if ((await readFile(types, 'utf8')) !== tidy) {
    console.error('src/lib/api/view.d.ts is not what schema/view.schema.json gives: run `npm run types`.');
    process.exitCode = 1;
  }
} else {
  await writeFile(types, tidy);
}
