// Unpacks the Chromium of the package @sparticuz/chromium (64-bit Linux) into node_modules/.chromium, once, and prints
// the path of the program. The package also has libraries and a font for systems that lack them.
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

const here = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));
const [packed, unpacked] = [here('@sparticuz/chromium/bin'), here('.chromium')];
const program = `${unpacked}/chromium.sh`;

async function unpack(name, target) {
  const source = createReadStream(`${packed}/${name}.br`);
  await pipeline(source, createBrotliDecompress(), createWriteStream(target, { mode: 0o755 }));
}

async function unpackFolder(name, folder) {
  await unpack(`${name}.tar`, `${folder}/${name}.tar`);
  const { status } = spawnSync('tar', ['-xf', `${name}.tar`], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`tar could not unpack ${name}.tar`);
}

/** The shell script that starts Chromium with what the system lacks. */
async function script(folder) {
  const lines = ['#!/bin/sh', 'here=$(dirname "$0")'];
  if (spawnSync('ldd', [`${folder}/chromium`], { encoding: 'utf8' }).stdout?.includes('not found')) {
    await unpackFolder('al2023', folder);
    lines.push('export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"');
  }
  if (!existsSync('/etc/fonts/fonts.conf')) {
    await unpackFolder('fonts', folder);
    const cache = '<cachedir prefix="xdg">fontconfig</cachedir>';
    writeFileSync(
      `${folder}/fonts.conf`,
      `<fontconfig><dir prefix="relative">fonts</dir><dir>/usr/share/fonts</dir>${cache}</fontconfig>\n`,
    );
    lines.push('export FONTCONFIG_FILE="$here/fonts.conf"');
  }
  return [...lines, 'exec "$here/chromium" "$@"', ''].join('\n');
}

if (process.platform === 'linux' && process.arch === 'x64') {
  if (!existsSync(program)) {
    const folder = `${unpacked}.${process.pid}`;
    mkdirSync(folder);
    await unpack('chromium', `${folder}/chromium`);
    writeFileSync(`${folder}/chromium.sh`, await script(folder), { mode: 0o755 });
    rmSync(unpacked, { recursive: true, force: true });
    renameSync(folder, unpacked);
  }
  console.log(program);
} else {
  console.error('The package @sparticuz/chromium has a browser for 64-bit Linux only.');
}
