#!/usr/bin/env node
// The command `baton`. It stands outside the built files, so that installing can link it.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { loadBundle } from '../dist/node-bundle.js';
import { readAhead } from '../dist/node-reading.js';

/** The first operand is a model in most commands: it is read while the rest loads. */
const ahead = readAhead(process.argv[3]);

/** Modules of the user import the packages themselves, and share them with the command. */
const takesModules =
  ['ts', 'mjs', 'js'].some((ending) => existsSync(`baton.config.${ending}`)) ||
  process.argv.some((arg, i) => /\.[cm]?[jt]s$/.test(arg) && process.argv[i - 1] === '--rules');

const bundle = fileURLToPath(new URL('../dist/baton.cjs', import.meta.url));
// Node 22.1 and later keep what they compile of modules.
if (takesModules) module.enableCompileCache?.();
const { start } =
  takesModules || !existsSync(bundle)
    ? await import('../dist/bin.js')
    : loadBundle(bundle, process.argv[2]);
await start(ahead);
