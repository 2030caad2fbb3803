/**
 * `pnpm bench`: bundles the measuring process, which starts once for each variant of a model, and runs the
 * report. In one file it starts in a fifth of the time.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const inTiming = (name) => fileURLToPath(new URL(`../bench/dist/timing/${name}`, import.meta.url));

const outfile = inTiming('worker-bundle.js');
await build({
  entryPoints: [inTiming('worker.js')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
  banner: {
    js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
  },
});
process.env.BATON_BENCH_WORKER = outfile;
await import('../bench/dist/main.js');
