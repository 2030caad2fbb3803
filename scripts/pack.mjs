// Packs every built package for npm, with a bill of materials and the provenance:
// node scripts/pack.mjs FOLDER.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOfMaterials, manifests, privateNames, provenance } from './sbom.mjs';
import { writeSelfContained } from './self-contained.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const BUILT = /\.(?:js|d\.ts)(?:\.map)?$/;

const hasSource = (built) =>
  ['.ts', '.tsx'].some((ending) => existsSync(built.replace(BUILT, ending)));

/** Removes built files whose sources no longer exist, since the compiler keeps them. */
function removeStale(dist, src) {
  for (const entry of readdirSync(dist, { withFileTypes: true })) {
    const path = join(dist, entry.name);
    const source = join(src, entry.name);
    // The bundled playground has no sources with the same names.
    if (entry.isDirectory() && entry.name === 'site') continue;
    if (entry.isDirectory()) {
      if (existsSync(source)) removeStale(path, source);
      else rmSync(path, { recursive: true });
    } else if (BUILT.test(entry.name) && !hasSource(source)) rmSync(path);
  }
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node scripts/pack.mjs FOLDER');
  process.exit(2);
}
for (const { folder: name } of manifests) {
  const at = join(root, 'packages', name);
  if (!existsSync(join(at, 'dist'))) {
    console.error(`packages/${name} is not built: run \`pnpm build\``);
    process.exit(1);
  }
  removeStale(join(at, 'dist'), join(at, 'src'));
}
await writeSelfContained();
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const leftOut = privateNames.flatMap((name) => ['--filter', `!${name}`]);
const pnpm = ['-y', packageManager, '--recursive', '--filter', './packages/*', ...leftOut];
execFileSync('npx', [...pnpm, 'pack', '--pack-destination', resolve(folder)], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const write = (name, content) =>
  writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
write('sbom.cdx.json', billOfMaterials(folder));
write('provenance.json', provenance(folder));
