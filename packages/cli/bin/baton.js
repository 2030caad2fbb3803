#!/usr/bin/env node
// The command `baton`. It stands outside the built files, so that installing can link it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadBundle } from '../dist/node-bundle.js';
import { readAhead } from '../dist/node-reading.js';

/** The first operand is a model in most commands: it is read while the rest loads. */
const ahead = readAhead(process.argv[3]);

// The package has the bundle; without one, built files are run as they are.
const bundle = fileURLToPath(new URL('../dist/baton.cjs', import.meta.url));
const { start } = existsSync(bundle)
  ? loadBundle(bundle, process.argv[2])
  : await import('../dist/bin.js');
await start(ahead, (href) => import(href));
