/**
 * The bundles: the page of the report, as `dist/page.json` of the report and of the command; the command
 * in one file, as `packages/cli/dist/baton.cjs`, which starts in a third of the time; and the playground,
 * as `packages/playground/dist/site` and `baton-playground.html`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildPlayground } from '../packages/playground/scripts/build.mjs';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const inPackages = (path) => join(packages, path);

const SHARED = { bundle: true, write: false, target: 'es2022', legalComments: 'none' };

async function bundled(options) {
  const { outputFiles } = await build({ ...SHARED, ...options });
  const [file] = outputFiles;
  return file.text.trim();
}

async function asset(options) {
  const text = await bundled({ ...options, minify: true });
  return { text, hash: `sha256-${createHash('sha256').update(text).digest('base64')}` };
}

async function page() {
  const script = await asset({
    entryPoints: [inPackages('report/src/page/main.ts')],
    format: 'iife',
    platform: 'browser',
  });
  const style = await asset({ entryPoints: [inPackages('report/src/page/style.css')] });
  return JSON.stringify({ script, style });
}

/** The command, the process of `baton bench`, and the names of the package. */
const COMMAND = `export { start } from './bin.js';
export { work } from './bench-worker.js';
export * from './index.js';`;

/** A script, not a module: V8 caches compiled code only for scripts. */
async function command() {
  const text = await bundled({
    stdin: { contents: COMMAND, resolveDir: inPackages('cli/dist') },
    format: 'cjs',
    platform: 'node',
    minifySyntax: true,
    minifyWhitespace: true,
    define: { 'import.meta.url': 'fileUrl' },
    banner: { js: 'const fileUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
  const id = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `// ${id}\n${text}\n`;
}

const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The latest change in a folder. */
const latestIn = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(js|mjs|tsx?|css)$/.test(file))
      .map((file) => changed(join(folder, file))),
  );

const isFresh = (target, folders) => changed(target) > Math.max(...folders.map(latestIn));

async function refresh(target, folders, make) {
  if (isFresh(target, folders)) return;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, await make());
}

/** Writes the bundles that are older than their inputs. The packages must be built. */
export async function bundle() {
  for (const folder of ['report', 'cli']) {
    await refresh(inPackages(`${folder}/dist/page.json`), [inPackages('report/src/page')], page);
  }
  const built = readdirSync(packages).map((name) => inPackages(`${name}/dist`));
  await refresh(inPackages('cli/dist/baton.cjs'), built, command);
  const playground = [...built, inPackages('playground/src'), inPackages('playground/scripts')];
  // Its own output is not an input.
  const sources = playground.filter((folder) => folder !== inPackages('playground/dist'));
  for (const [target, isFile] of [
    ['playground/dist/site/index.html', false],
    ['playground/dist/baton-playground.html', true],
  ]) {
    if (!isFresh(inPackages(target), sources)) await buildPlayground({ isFile });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
