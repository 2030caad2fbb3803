#!/usr/bin/env node
// The command `baton`. It stands outside the built files, so that installing can link it.
import { existsSync } from 'node:fs';

/** Modules of the user import the packages themselves, and share them with the command. */
const takesModules =
  ['ts', 'mjs', 'js'].some((ending) => existsSync(`baton.config.${ending}`)) ||
  process.argv.some((arg, i) => /\.[cm]?[jt]s$/.test(arg) && process.argv[i - 1] === '--rules');

const bundle = new URL('../dist/baton.mjs', import.meta.url);
await import(takesModules || !existsSync(bundle) ? '../dist/bin.js' : bundle.href);
