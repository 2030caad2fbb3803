// Bundles the tests and the sources with their switches, so that a process for one mutant starts
// in a fraction of a second.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './scope.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** Packages that load files from their own folder, or lack optional parts: they are not bundled. */
const outside = /^(onnxruntime-node|playwright-core)$/;

/** Writes the bundle into a folder, and returns which test files read which sources. */
export async function bundle(tests, sources, folder) {
  const { metafile } = await build({
    entryPoints: { worker: join(here, 'worker.mjs') },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['baton-source'],
    metafile: true,
    logLevel: 'error',
    absWorkingDir: root,
    banner: {
      js: "import { createRequire as requireHere } from 'node:module'; const require = requireHere(import.meta.url);",
    },
    plugins: [plugin(tests, sources)],
  });
  return readers(tests, metafile);
}

const plugin = (tests, sources) => ({
  name: 'baton-mutate',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vitest$/ }, () => ({ path: join(here, 'vitest.mjs') }));
    onResolve({ filter: outside }, ({ path, resolveDir }) => ({
      path: pathToFileURL(createRequire(join(resolveDir, 'x')).resolve(path)).href,
      external: true,
    }));
    onResolve({ filter: /^baton:tests$/ }, ({ path }) => ({ path, namespace: 'baton' }));
    onLoad({ filter: /^baton:tests$/, namespace: 'baton' }, () => ({
      contents: `export const tests = {${tests
        .map((t) => `${JSON.stringify(t)}: () => import(${JSON.stringify(join(root, t))}),`)
        .join('\n')}};`,
      resolveDir: root,
    }));
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const contents = sources.get(relative(root, path)) ?? (await readFile(path, 'utf8'));
      const url = JSON.stringify(pathToFileURL(path).href);
      const folder = JSON.stringify(dirname(path));
      return {
        contents: contents
          .replaceAll('import.meta.url', url)
          .replaceAll('import.meta.dirname', folder),
        loader: 'ts',
      };
    });
  },
});

/** For each test file, the files that it imports, directly or indirectly. */
function readers(tests, { inputs }) {
  return new Map(
    tests.map((test) => {
      const seen = new Set([test]);
      for (const path of seen) {
        for (const { path: next, external } of inputs[path]?.imports ?? []) {
          if (!external) seen.add(next);
        }
      }
      return [test, seen];
    }),
  );
}
