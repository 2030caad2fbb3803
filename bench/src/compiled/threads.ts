/** Threads of compiled programs in Node. */
import { Worker } from 'node:worker_threads';
import type { WasmOptions } from '@baton/wasm';

/** `count` threads, each of which ends with the process. */
export const nodeThreads = (count: number): NonNullable<WasmOptions['threads']> => ({
  count,
  start: (work) => new Worker(new URL('thread.js', import.meta.url), { workerData: work }).unref(),
});
