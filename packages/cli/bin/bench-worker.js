// A process that measures for `baton bench`.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const bundle = fileURLToPath(new URL('../dist/baton.cjs', import.meta.url));
const { work } = existsSync(bundle)
  ? createRequire(import.meta.url)(bundle)
  : await import('../dist/bench-worker.js');
work();
