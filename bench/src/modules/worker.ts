/**
 * A process that runs one model: `worker.js module FILE.mjs INPUTS` imports an emitted module, and
 * `worker.js executor FILE.onnx INPUTS TRANSFORMS` prepares the model on the executor `wasm`. It tells
 * the times of the former, and the peak of memory of both.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { makeWasm } from '@baton/wasm';
import { importOnnx, orThrow } from 'batonjs';
import { arrayOf, type FirstTimes, firstTimes, type InputValues } from './first.ts';
import { beginPeak, peakSince } from './peak-memory.ts';

/** What a process tells. */
export interface WorkerAnswer {
  /** Of a module. */
  readonly times?: FirstTimes;
  /** **Units** bytes beyond what the process had before; absent where the system does not tell. */
  readonly peakBytes?: number;
}

const RUNS = 3;

const [, , kind = '', file = '', inputs = '', transforms = ''] = process.argv;

const begin = beginPeak();
const given: Readonly<Record<string, InputValues>> = JSON.parse(readFileSync(inputs, 'utf8'));

async function ofModule(): Promise<WorkerAnswer> {
  const times = await firstTimes(pathToFileURL(file).href, given);
  return { times, ...peakOf() };
}

function ofExecutor(): WorkerAnswer {
  const m = orThrow(importOnnx(readFileSync(file), { ownsBytes: true }));
  const args = Object.fromEntries(Object.entries(given).map(([name, it]) => [name, arrayOf(it)]));
  const executable = orThrow(makeWasm({ transforms: transforms === 'true' }).prepare(m));
  for (let run = 0; run < RUNS; run++) orThrow(executable.run(args));
  return peakOf();
}

function peakOf(): Pick<WorkerAnswer, 'peakBytes'> {
  const peakBytes = peakSince(begin);
  return peakBytes === undefined ? {} : { peakBytes };
}

process.send?.(kind === 'module' ? await ofModule() : ofExecutor());
