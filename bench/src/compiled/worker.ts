/**
 * A process that runs one model on one engine: `worker.js ENGINE FILE PEERS`. The file is a
 * {@link WorkerInput}; PEERS is a folder with onnxruntime's packages. It answers each message, a
 * number of milliseconds, with the times of the runs in them.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type CompiledFacts, compiledFacts, makeWasm } from '@baton/wasm';
import {
  type IRModule,
  importOnnx,
  kernelFusion,
  optimize,
  orThrow,
  runPass,
  tensor,
} from 'batonjs';
import { nodeThreads } from './threads.ts';

/** What a worker answers: the times of the runs of a turn. **Units** ms. */
export interface Turn {
  readonly times: ReadonlyArray<number>;
  /** The processor's time for a run: it grows less than times do if others work on the machine. */
  readonly cpuMs: number;
}

/** A model in ONNX form, with the values of its inputs in files of their own. */
export interface WorkerInput {
  readonly model: string;
  readonly inputs: ReadonlyArray<{
    readonly name: string;
    readonly shape: ReadonlyArray<number>;
    readonly dtype: string;
    readonly path: string;
  }>;
  readonly choices: BatonChoices;
}

/** A level of optimization. */
export type OptimizationLevel = 0 | 1 | 2 | 3;

/** How Baton runs a model. */
export interface BatonChoices {
  /** The level of optimization; `undefined` leaves the program as it is. */
  readonly level: OptimizationLevel | undefined;
  /** Which elementwise calls are computed in one pass; for `groups`, a level ends with `FuseOps`. */
  readonly fusion: 'all' | 'groups';
  /** Leaves fused multiplication and addition out. */
  readonly isSimd: boolean;
  /** Leaves Winograd's transforms out. */
  readonly isPlain: boolean;
  /** Threads that share the work. */
  readonly threads: number;
}

/** What a worker says first. **Units** ms. */
export interface Ready {
  /** The time of optimization; 0 for other engines. */
  readonly optimizeMs: number;
  readonly prepareMs: number;
  readonly firstMs: number;
  readonly facts: CompiledFacts | undefined;
}

const ARRAYS = { float32: Float32Array, int64: BigInt64Array, int32: Int32Array } as const;

const [, , engine = '', file = '', peers = ''] = process.argv;

const input = JSON.parse(readFileSync(file, 'utf8')) as WorkerInput;

/** The values of an input. */
function dataOf({ path, dtype }: WorkerInput['inputs'][number]) {
  const bytes = readFileSync(path);
  const make = ARRAYS[dtype as keyof typeof ARRAYS];
  return new make(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** An engine with the model. */
interface Loaded {
  /** Runs the model once. */
  readonly run: () => Promise<unknown>;
  readonly optimizeMs: number;
  readonly prepareMs: number;
  readonly facts: () => CompiledFacts | undefined;
}

function optimized(m: IRModule, { level, fusion }: BatonChoices): IRModule {
  if (level === undefined) return m;
  const better = orThrow(runPass(optimize({ level }))(m)).module;
  return fusion === 'all' ? better : orThrow(runPass(kernelFusion)(better)).module;
}

async function batonLoaded(): Promise<Loaded> {
  const { isSimd, isPlain, fusion, threads } = input.choices;
  const given = orThrow(importOnnx(readFileSync(input.model)));
  const start = performance.now();
  const m = optimized(given, input.choices);
  const prepared = performance.now();
  const options = {
    transforms: !isPlain,
    fusion,
    ...(isSimd ? { level: 'simd' as const } : {}),
  };
  const crew = threads > 1 ? { threads: nodeThreads(threads) } : {};
  const executable = orThrow(makeWasm({ ...options, ...crew }).prepare(m));
  const end = performance.now();
  const args = Object.fromEntries(
    input.inputs.map((it) => [it.name, tensor(dataOf(it), it.shape, it.dtype as 'float32')]),
  );
  return {
    run: async () => orThrow(executable.run(args)),
    optimizeMs: prepared - start,
    prepareMs: end - prepared,
    facts: () => compiledFacts(m, options),
  };
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

async function peerLoaded(name: string): Promise<Loaded> {
  const start = performance.now();
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
  const prepareMs = performance.now() - start;
  return { run: () => session.run(feeds), optimizeMs: 0, prepareMs, facts: () => undefined };
}

async function main(): Promise<void> {
  const loaded = await (engine === 'baton' ? batonLoaded() : peerLoaded(engine));
  const { run, optimizeMs, prepareMs } = loaded;
  const start = performance.now();
  await run();
  const firstMs = performance.now() - start;
  const ready: Ready = { optimizeMs, prepareMs, firstMs, facts: loaded.facts() };
  process.on('message', async (budgetMs: number) => {
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let spent = 0; spent < budgetMs; ) {
      const start = performance.now();
      await run();
      const ms = performance.now() - start;
      spent += ms;
      times.push(ms);
    }
    const { user, system } = process.cpuUsage(before);
    const turn: Turn = { times, cpuMs: (user + system) / 1000 / times.length };
    process.send?.(turn);
  });
  process.send?.(ready);
}

await main();
