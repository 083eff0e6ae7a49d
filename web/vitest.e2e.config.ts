import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The tests live beside the others of the project; what they import lies here.
const here = (path: string) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));

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
    testTimeout: 60_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // As long as a page waits for what is to be seen in it.
    expect: { poll: { timeout: 15_000 } },
  },
});
