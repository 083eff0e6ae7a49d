import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The tests are in tests/e2e; the packages they import are here.
const here = (path: string) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));

const nightly = process.env['TAVOLA_TEST_PROFILE'] === 'nightly';

export default defineConfig({
  root: fileURLToPath(new URL('../tests/e2e', import.meta.url)),
  resolve: {
    alias: {
      'playwright-core': here('playwright-core/index.mjs'),
      'axe-core': here('axe-core/axe.js'),
      vitest: here('vitest/dist/index.js'),
    },
  },
  test: {
    include: ['*.test.ts'],
    // scripts/e2e.js selects by tag.
    tags: [
      { name: 'long', description: 'Whole games, every width, and variants of what a short test covers.' },
    ],
    reporters: ['default', fileURLToPath(new URL('scripts/slowest.js', import.meta.url))],
    // The files of a worker share a server and a browser.
    isolate: false,
    // A file must not depend on what another left on the server.
    sequence: { shuffle: { files: nightly } },
    testTimeout: 120_000,
    // Matches are drawn at random and machines stall: one fault in a long run is listed, two in the same test fail it. The nightly run allows none.
    retry: nightly ? 0 : 1,
    hookTimeout: 120_000,
    // The tests mostly wait, so more of them than cores run at once.
    maxWorkers: 3,
    // How long a test waits for the page to change.
    expect: { poll: { timeout: 15_000 } },
  },
});
