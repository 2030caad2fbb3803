/** A process that imports one emitted module and runs it: `worker.js MODULE INPUTS`. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { firstTimes } from './first.ts';

const [, , module = '', inputs = ''] = process.argv;

process.send?.(
  await firstTimes(pathToFileURL(module).href, JSON.parse(readFileSync(inputs, 'utf8'))),
);
