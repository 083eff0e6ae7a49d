// Writes src/lib/api/view.d.ts and server.d.ts from their schemas. With --check, only says whether they are current.
import { readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';

/** The types of a file, from its schema. */
const FILES = { view: 'a position and its texts', server: "the server's requests and responses" };

/**
 * A reference with a description of its own would become a second type: name the first instead. Adds the types of
 * other files to `imports`.
 */
function named(node, imports) {
  if (Array.isArray(node)) return node.map((one) => named(one, imports));
  if (node === null || typeof node !== 'object') return node;
  if ('$ref' in node) {
    const { $ref, ...rest } = node;
    const [file, name] = $ref.split('#/$defs/');
    if (file) imports.add(name);
    return { ...rest, tsType: name };
  }
  const parts = Object.entries(node).map(([key, value]) => [key, named(value, imports)]);
  const { prefixItems, ...rest } = Object.fromEntries(parts);
  // A pair, as the compiler knows it.
  if (prefixItems) return { ...rest, items: prefixItems, additionalItems: false };
  if (rest.type === 'object' && !rest.properties) return { additionalProperties: true, ...rest };
  if (rest.type === 'array') {
    // Lists with limits would become unions of pairs.
    delete rest.minItems;
    delete rest.maxItems;
  }
  return rest;
}

for (const [file, about] of Object.entries(FILES)) {
  const types = new URL(`../src/lib/api/${file}.d.ts`, import.meta.url);
  const imports = new Set();
  const schema = await readFile(new URL(`../schema/${file}.schema.json`, import.meta.url), 'utf8');
  const made = await compile(named(JSON.parse(schema), imports), 'Wire', {
    additionalProperties: false,
    unreachableDefinitions: true,
    bannerComment: [
      `// The types of ${about}. Made by \`npm run types\` from schema/${file}.schema.json: do not edit.`,
      ...(imports.size > 0 ? [`import type { ${[...imports].sort().join(', ')} } from './view';`] : []),
    ].join('\n'),
    style: { singleQuote: true, printWidth: 100 },
  });
  const tidy = made
    .replace(/ \*\n \* This interface was referenced by .*\n \* via the `definition` .*\n/g, '')
    .replace(/\/\*\*\n \* This interface was referenced by .*\n \* via the `definition` .*\n \*\/\n/g, '')
    // The schema itself, where it has no members.
    .replace(/export interface \w+ \{\}\n/, '')
    // A comment of one line on one line.
    .replace(/\/\*\*\n\s*\* (.*)\n\s*\*\//g, '/** $1 */');
  if (!process.argv.includes('--check')) await writeFile(types, tidy);
  else if ((await readFile(types, 'utf8')) !== tidy) {
    console.error(
      `src/lib/api/${file}.d.ts is not what schema/${file}.schema.json gives: run \`npm run types\`.`,
    );
    process.exitCode = 1;
  }
}
