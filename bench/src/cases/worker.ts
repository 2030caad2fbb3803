/** Runs files in onnxruntime, one after another: each message is a file with its inputs. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PEERS } from '../compiled/peers.ts';

/** A tensor between processes. */
export interface RawTensor {
  readonly dtype: string;
  readonly data: unknown;
  readonly shape: ReadonlyArray<number>;
}

/** A file to run. */
export interface Task {
  readonly file: Uint8Array;
  readonly inputs: Readonly<Record<string, RawTensor>>;
}

/** The outputs, in order, or what onnxruntime says against the file. */
export type Answer = ReadonlyArray<RawTensor> | string;

interface RuntimeTensor {
  readonly type: string;
  readonly data: unknown;
  readonly dims: ReadonlyArray<number>;
}

interface Session {
  readonly inputNames: ReadonlyArray<string>;
  readonly outputNames: ReadonlyArray<string>;
  readonly run: (
    feeds: Readonly<Record<string, RuntimeTensor>>,
  ) => Promise<Readonly<Record<string, RuntimeTensor>>>;
  readonly release: () => Promise<void>;
}

/** The part of onnxruntime that is used. */
interface Runtime {
  readonly Tensor: new (
    dtype: string,
    data: unknown,
    shape: ReadonlyArray<number>,
  ) => RuntimeTensor;
  readonly InferenceSession: {
    readonly create: (bytes: Uint8Array, options: object) => Promise<Session>;
  };
}

const [folder = ''] = process.argv.slice(2);
const runtime = createRequire(join(folder, 'package.json'))(PEERS.ortNode) as Runtime;

async function outputsOf({ file, inputs }: Task): Promise<Answer> {
  try {
    const session = await runtime.InferenceSession.create(file, {
      graphOptimizationLevel: 'disabled',
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 4,
    });
    const feeds = session.inputNames.flatMap((name) => {
      const given = inputs[name];
      if (given === undefined) return [];
      return [[name, new runtime.Tensor(given.dtype, given.data, given.shape)] as const];
    });
    const found = await session.run(Object.fromEntries(feeds));
    await session.release();
    return session.outputNames.flatMap((name) => {
      const value = found[name];
      return value === undefined
        ? []
        : [{ dtype: value.type, data: value.data, shape: value.dims }];
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

process.on('message', async (task: Task) => {
  const answer = await outputsOf(task);
  process.send?.(answer);
});
