import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// `npm run dev` answers from this machine's server: TAVOLA_URL says where it listens.
const server = process.env['TAVOLA_URL'] ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [
    svelte(),
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/paraglide',
      strategy: ['globalVariable', 'baseLocale'],
      emitGitIgnore: false,
      emitPrettierIgnore: false,
    }),
  ],
  build: { target: 'es2023', cssCodeSplit: false, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: { host: '127.0.0.1', proxy: { '/api': { target: server, ws: true }, '/core.wasm': server } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
