/** Runs ONNX files in `onnxruntime-node`: for the command, and for fuzzing, hunting and tests. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { diagnostic, fail, ok, type Result } from '@baton/base';
import { dense, isDType, isTensorData, storageOf, type Tensor, tensor } from '@baton/tensor';

export type NamedTensors = ReadonlyMap<string, Tensor>;

export interface SessionOptions {
  readonly graphOptimizationLevel?: 'disabled' | 'all';
  readonly intraOpNumThreads?: number;
  readonly interOpNumThreads?: number;
  /** From 0 (verbose) to 4 (fatal errors only). */
  readonly logSeverityLevel?: number;
  /** Settings of `session`, `ep` and others by name. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * Loads a file, from its bytes or its path, and runs it on each sample: the outputs in the order of
 * the file. Inputs that the file lacks, and outputs that are not tensors of Baton, are omitted.
 *
 * **Errors** `CLI_RUNTIME`, with the message of onnxruntime.
 */
export type RunSamples = (
  model: Uint8Array | string,
  samples: ReadonlyArray<NamedTensors>,
  options: SessionOptions,
) => Promise<Result<ReadonlyArray<NamedTensors>>>;

export const RUNTIME_PACKAGE = 'onnxruntime-node';

interface RuntimePackage {
  readonly InferenceSession: {
    readonly create: (model: Uint8Array | string, options: SessionOptions) => Promise<Session>;
  };
  readonly Tensor: new (dtype: string, data: unknown, dims: ReadonlyArray<number>) => RuntimeTensor;
}

interface Session {
  readonly inputNames: ReadonlyArray<string>;
  readonly outputNames: ReadonlyArray<string>;
  readonly run: (
    feeds: Readonly<Record<string, RuntimeTensor>>,
  ) => Promise<Readonly<Record<string, RuntimeTensor>>>;
  readonly release: () => Promise<void>;
}

interface RuntimeTensor {
  readonly type: string;
  readonly dims: ReadonlyArray<number>;
  readonly data: unknown;
}

/** onnxruntime as installed for a folder; throws if it is not. */
export function runtimeIn(folder: string): RunSamples {
  const runtime = createRequire(join(folder, 'package.json'))(RUNTIME_PACKAGE) as RuntimePackage;
  return async (model, samples, options) => {
    try {
      const session = await runtime.InferenceSession.create(model, options);
      const found: NamedTensors[] = [];
      for (const inputs of samples) found.push(await runOnce(runtime, session, inputs));
      // A session that has failed is not released: onnxruntime may crash then.
      await session.release();
      return ok(found);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return fail(diagnostic('CLI_RUNTIME', message));
    }
  };
}

async function runOnce(
  runtime: RuntimePackage,
  session: Session,
  inputs: NamedTensors,
): Promise<NamedTensors> {
  const feeds = session.inputNames.flatMap((name) => {
    const given = inputs.get(name);
    if (given === undefined) return [];
    const { dtype, data, shape } = dense(given);
    return [[name, new runtime.Tensor(dtype, data, shape)] as const];
  });
  const found = await session.run(Object.fromEntries(feeds));
  return new Map(
    session.outputNames.flatMap((name) => {
      const value = asTensor(found[name]);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/**
 * Copies an output, whose memory belongs to onnxruntime. The bytes are read as storage of Baton: on
 * hosts with `Float16Array` onnxruntime returns that for float16, and Baton stores a `Uint16Array`.
 */
function asTensor(value: RuntimeTensor | undefined): Tensor | undefined {
  if (value === undefined || !isDType(value.type) || !isTensorData(value.data)) return undefined;
  const { buffer, byteOffset, byteLength, length } = value.data;
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
  return tensor(new (storageOf(value.type))(bytes, 0, length), [...value.dims], value.type);
}
