// Runs the browser tests of the profile in TAVOLA_TEST_PROFILE: `quick` (default, all but the long tests), `ci` or
// `nightly` (all). Arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const FILTERS = { quick: ['--tags-filter=!long'], ci: [], nightly: [] };
const profile = process.env['TAVOLA_TEST_PROFILE'] ?? 'quick';
const filter = FILTERS[profile];
if (filter === undefined) throw new Error(`TAVOLA_TEST_PROFILE=${profile}: expected quick, ci or nightly`);

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [
    vitest,
    'run',
    '--config',
    'vitest.e2e.config.ts',
    '--passWithNoTests',
    ...filter,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
