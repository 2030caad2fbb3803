/** onnxruntime for fuzzing, where the tests have installed it. */
import { createRequire } from 'node:module';
import { isDType, type Tensor, type TensorData, tensor } from '@baton/tensor';

/** Runs an ONNX file: its outputs by name, in their order. */
export type RunFile = (
  file: Uint8Array,
  inputs: ReadonlyMap<string, Tensor>,
) => Promise<ReadonlyMap<string, Tensor>>;

/** The part of `onnxruntime-node` that is used. */
interface Runtime {
  readonly InferenceSession: {
    readonly create: (file: Uint8Array, options: object) => Promise<RuntimeSession>;
  };
  readonly Tensor: new (dtype: string, data: unknown, dims: ReadonlyArray<number>) => RuntimeTensor;
}

interface RuntimeSession {
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

const OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 4,
};

/** Without optimizations, which reorder sums and drop casts: for values. */
const EXACT = { ...OPTIONS, graphOptimizationLevel: 'disabled' };

/**
 * onnxruntime; `undefined` if it is not installed. It also loads each file with its default
 * optimizations, as users do.
 */
export function findRuntime(): RunFile | undefined {
  let runtime: Runtime;
  try {
    const tests = new URL('../../../test/package.json', import.meta.url);
    runtime = createRequire(tests)('onnxruntime-node') as Runtime;
  } catch {
    return undefined;
  }
  return async (file, inputs) => {
    const session = await runtime.InferenceSession.create(file, EXACT);
    const feeds = [...inputs].map(([name, { dtype, data, shape }]) => [
      name,
      new runtime.Tensor(dtype, data, shape),
    ]);
    // A session that has failed is not released: onnxruntime may crash then.
    const found = await session.run(Object.fromEntries(feeds));
    await session.release();
    await (await runtime.InferenceSession.create(file, OPTIONS)).release();
    return new Map(session.outputNames.flatMap((name) => tensorOf(name, found[name])));
  };
}

const tensorOf = (
  name: string,
  value: RuntimeTensor | undefined,
): ReadonlyArray<readonly [string, Tensor]> =>
  value !== undefined && isDType(value.type)
    ? [[name, tensor(value.data as TensorData, value.dims, value.type)]]
    : [];
