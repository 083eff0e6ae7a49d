import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

// `npm run dev` answers from this machine's server: TAVOLA_URL says where it listens.
const server = process.env['TAVOLA_URL'] ?? 'http://127.0.0.1:8000';

/** Writes service-worker.js with the names of the built files, and a version made from them. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
      const version = createHash('sha256').update(files.toSorted().join()).digest('hex').slice(0, 12);
      const listed = JSON.stringify({ version, files: [...files.map((name) => `/${name}`), '/icon.svg'] });
      const source = readFileSync(new URL('src/serviceWorker.js', import.meta.url), 'utf8');
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: source.replace('= __FILES__', () => `= ${listed}`),
      });
    },
  };
}

export default defineConfig({
  plugins: [
    svelte(),
    serviceWorker(),
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/paraglide',
      strategy: ['globalVariable', 'baseLocale'],
      emitGitIgnore: false,
      emitPrettierIgnore: false,
    }),
  ],
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
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
