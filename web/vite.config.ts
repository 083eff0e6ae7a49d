import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { writeMessages } from './scripts/messages.js';
import { FALLBACK } from './src/lib/i18n/translate';

// `npm run dev` answers from this machine's server: TAVOLA_URL says where it listens.
const server = process.env['TAVOLA_URL'] ?? 'http://127.0.0.1:8000';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The messages of the client by language. */
const { [FALLBACK]: complete, ...others } = Object.fromEntries(
  readdirSync(new URL('messages/', import.meta.url)).map((file) => [
    file.replace(/\.json$/, ''),
    JSON.parse(read(`messages/${file}`)) as Record<string, string>,
  ]),
);

/** The words of each language about itself, from its file. */
const languages = Object.fromEntries(
  Object.entries({ [FALLBACK]: complete, ...others }).map(([language, words = {}]) => [
    language,
    Object.fromEntries(Object.entries(words).filter(([key]) => /^language(_|$)/.test(key))),
  ]),
);

/** Writes the functions of messages before anything imports them. */
function messages(): Plugin {
  return { name: 'messages', configResolved: writeMessages };
}

/** Adds what depends on languages to the manifest of the installed app. */
function manifest(): Plugin {
  const described = (words: Record<string, string> = {}) => words['app_tagline'];
  return {
    name: 'manifest',
    apply: 'build',
    generateBundle() {
      const source = {
        ...(JSON.parse(read('src/manifest.json')) as object),
        lang: FALLBACK,
        description: described(complete),
        description_localized: Object.fromEntries(
          Object.entries(others).map(([language, words]) => [language, described(words)]),
        ),
      };
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(source) });
    },
  };
}

/** Writes service-worker.js with the names of the built files, and a version made from them. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post', // Vite takes an entry out that only imports others.
      handler(_, bundle) {
        const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
        const version = createHash('sha256').update(files.toSorted().join()).digest('hex').slice(0, 12);
        const listed = JSON.stringify({
          version,
          files: [...files.map((name) => `/${name}`), '/icon.svg'],
          languages: [FALLBACK, ...Object.keys(others)],
        });
        this.emitFile({
          type: 'asset',
          fileName: 'service-worker.js',
          source: read('src/serviceWorker.js').replace('= __FILES__', () => `= ${listed}`),
        });
      },
    },
  };
}

/** The pages with a board, by the pattern of their path, and the file of each in `src/routes`. */
const PRELOADED = {
  'match/*': 'Match',
  'learn/*/*': 'Lesson',
  'puzzles/*/*': 'Puzzle',
  analysis: 'Analysis',
};

/** Writes preloads.json: the scripts of these pages, which the server lists in the header of the page. */
function preloads(): Plugin {
  return {
    name: 'preloads',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      /** Adds a script after those that it imports; `open`: the scripts on the way, as imports may go round. */
      const reach = (file: string, found: Set<string>, open = new Set<string>()): Set<string> => {
        if (found.has(file) || open.has(file)) return found;
        open.add(file);
        for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
          reach(next, found, open);
        return found.add(file);
      };
      const pages = Object.entries(PRELOADED).map(([path, route]) => {
        const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/routes/${route}.svelte`));
        if (!page) throw new Error(`no script has the page ${route}`);
        return [path, [...reach(page.fileName, new Set())]];
      });
      this.emitFile({
        type: 'asset',
        fileName: 'preloads.json',
        source: JSON.stringify(Object.fromEntries(pages)),
      });
    },
  };
}

export default defineConfig({
  define: { __LANGUAGES__: JSON.stringify(languages) },
  plugins: [svelte(), messages(), manifest(), preloads(), serviceWorker()],
  build: {
    target: 'es2023',
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Few files: one for the start page, and no small ones for the others. Each costs a round trip.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 1 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 30_000 },
          ],
        },
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': { target: server, ws: true }, '/core.wasm': server } },
  // A busy machine fails no test.
  test: {
    include: ['tests/**/*.test.ts'],
    environment: 'node',
    testTimeout: 120_000,
    coverage: {
      include: ['src/**/*.ts'], // The browser tests run the components.
      reporter: ['json-summary'],
      reportsDirectory: '../target/coverage/web',
    },
  },
});
