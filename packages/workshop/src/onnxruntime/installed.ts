/** onnxruntime as the reference for files: without its optimizations, on one thread. */
import { isLeft, type Result } from '@baton/base';
import { type NamedTensors, runtimeIn, type SessionOptions } from '@baton/cli';
import { Mistake } from '../begin.ts';
import { installedPeers, PEERS } from './peers.ts';

export interface Runtime {
  /**
   * The outputs of a file for each sample, by name and in order. Without a level onnxruntime
   * optimizes nothing.
   *
   * **Errors** `CLI_RUNTIME`, with the message of onnxruntime.
   */
  readonly run: (
    file: Uint8Array,
    samples: ReadonlyArray<NamedTensors>,
    level?: 'disabled' | 'all',
  ) => Promise<Result<ReadonlyArray<NamedTensors>>>;
}

/** Like `run` of a runtime, and the file must load with onnxruntime's default optimizations, too. */
export async function runAndLoad(
  { run }: Runtime,
  ...[file, samples]: Parameters<Runtime['run']>
): ReturnType<Runtime['run']> {
  const found = await run(file, samples);
  if (isLeft(found)) return found;
  const loaded = await run(file, [], 'all');
  return isLeft(loaded) ? loaded : found;
}

const FATAL_ONLY = 4;

const REFERENCE: SessionOptions = {
  graphOptimizationLevel: 'disabled',
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: FATAL_ONLY,
  // Without this, sums of products of bytes saturate at 16 bits on some processors.
  extra: { session: { x64quantprecision: '1' } },
};

export function findRuntime(): Runtime | undefined {
  const folder = installedPeers('').ortNode;
  return folder === undefined ? undefined : runtimeOf(folder);
}

/** onnxruntime in this process; a mistake of the user if no package has it installed. */
export function requireRuntime(): Runtime {
  const found = findRuntime();
  if (found === undefined) throw new Mistake(`${PEERS.ortNode} is not installed in the workspace`);
  return found;
}

export function runtimeOf(folder: string): Runtime {
  const run = runtimeIn(folder);
  return {
    run: (file, samples, level = 'disabled') =>
      run(file, samples, { ...REFERENCE, graphOptimizationLevel: level }),
  };
}
