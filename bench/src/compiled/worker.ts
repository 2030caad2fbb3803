/**
 * A process that runs one model on one engine: `worker.js ENGINE FILE PEERS`. The file is a
 * {@link WorkerInput}; PEERS is a folder with onnxruntime's packages. It answers each message with
 * the times of some runs.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { makeWasm } from '@baton/wasm';
import { importOnnx, orThrow, tensor } from 'batonjs';

/** A model in ONNX form, with the values of its inputs in files of their own. */
export interface WorkerInput {
  readonly model: string;
  readonly inputs: ReadonlyArray<{
    readonly name: string;
    readonly shape: ReadonlyArray<number>;
    readonly dtype: string;
    readonly path: string;
  }>;
  /** Leaves fused multiplication and addition out. */
  readonly isSimd: boolean;
  /** Leaves Winograd's transforms out. */
  readonly isPlain: boolean;
}

/** What a worker says first. **Units** ms. */
export interface Ready {
  readonly prepareMs: number;
  readonly firstMs: number;
}

/** **Units** ms. How long the engine runs for one message. */
const BUDGET_MS = 400;

const ARRAYS = { float32: Float32Array, int64: BigInt64Array, int32: Int32Array } as const;

const [, , engine = '', file = '', peers = ''] = process.argv;

const input = JSON.parse(readFileSync(file, 'utf8')) as WorkerInput;

/** The values of an input. */
function dataOf({ path, dtype }: WorkerInput['inputs'][number]) {
  const bytes = readFileSync(path);
  const make = ARRAYS[dtype as keyof typeof ARRAYS];
  return new make(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** A function that runs the model once. */
async function batonRun(): Promise<() => Promise<unknown>> {
  const m = orThrow(importOnnx(readFileSync(input.model)));
  const level = input.isSimd ? { level: 'simd' as const } : {};
  const options = { transforms: !input.isPlain, ...level };
  const executable = orThrow(makeWasm(options).prepare(m));
  const args = Object.fromEntries(
    input.inputs.map((it) => [it.name, tensor(dataOf(it), it.shape, it.dtype as 'float32')]),
  );
  return async () => orThrow(executable.run(args));
}

/** The part of onnxruntime that is used. */
interface Runtime {
  readonly env: { readonly wasm: { numThreads: number } };
  readonly Tensor: new (dtype: string, data: unknown, shape: ReadonlyArray<number>) => unknown;
  readonly InferenceSession: {
    readonly create: (
      bytes: Uint8Array,
      options: object,
    ) => Promise<{ readonly run: (feeds: Readonly<Record<string, unknown>>) => Promise<unknown> }>;
  };
}

async function runtimeRun(name: string): Promise<() => Promise<unknown>> {
  const require = createRequire(join(peers, 'package.json'));
  const ort = require(name) as Runtime;
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(readFileSync(input.model), {
    graphOptimizationLevel: 'all',
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionProviders: [name === 'onnxruntime-web' ? 'wasm' : 'cpu'],
  });
  const feeds = Object.fromEntries(
    input.inputs.map((it) => [it.name, new ort.Tensor(it.dtype, dataOf(it), it.shape)]),
  );
  return () => session.run(feeds);
}

async function main(): Promise<void> {
  const before = performance.now();
  const run = await (engine === 'baton' ? batonRun() : runtimeRun(engine));
  const prepared = performance.now();
  await run();
  const ready: Ready = { prepareMs: prepared - before, firstMs: performance.now() - prepared };
  process.on('message', async () => {
    const times: number[] = [];
    for (let spent = 0; spent < BUDGET_MS; ) {
      const start = performance.now();
      await run();
      const ms = performance.now() - start;
      spent += ms;
      times.push(ms);
    }
    process.send?.(times);
  });
  process.send?.(ready);
}

await main();
