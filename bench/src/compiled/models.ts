/** Whole models on the compiled executor, and on onnxruntime beside it, each in its own process. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Subject } from '@baton/report';
import { isTensor } from '@baton/tensor';
import { type Arguments, exportOnnx, optimize, orThrow, runPass } from 'batonjs';
import type { Ready, WorkerInput } from './worker.ts';

/** How models are measured. */
export interface ModelChoices {
  readonly level: 0 | 1 | 2 | 3;
  readonly isSimd: boolean;
  /** Leaves Winograd's transforms out. */
  readonly isPlain: boolean;
  /** A folder with onnxruntime's packages, if they are measured too. */
  readonly peers: string | undefined;
}

/** A model's times. **Units** ms. */
export interface ModelTimes {
  readonly name: string;
  /** The median of the runs. */
  readonly ms: number;
  /** From the module as it was imported to an executable. */
  readonly prepareMs: number;
  readonly firstMs: number;
  readonly peers: {
    readonly ortWeb?: { readonly ms: number };
    readonly ortNode?: { readonly ms: number };
  };
}

/** How often each engine has its turn. */
const TURNS = 5;

const PEERS = { ortWeb: 'onnxruntime-web', ortNode: 'onnxruntime-node' } as const;

/** Measures a model: the engines run in turn, so that all see the same machine. */
export async function measureModel(subject: Subject, choices: ModelChoices): Promise<ModelTimes> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-compiled-'));
  const engines: Engine[] = [];
  try {
    const { module, inputs } = orThrow(await subject.load());
    const files = writeInputs(folder, inputs, choices);
    const given = { ...files, model: join(folder, 'given.onnx') };
    const optimized = { ...files, model: join(folder, 'optimized.onnx') };
    writeFileSync(given.model, orThrow(exportOnnx(module)));
    const better = orThrow(runPass(optimize({ level: choices.level }))(module)).module;
    writeFileSync(optimized.model, orThrow(exportOnnx(better)));
    engines.push(await startEngine('baton', folder, optimized, ''));
    for (const [, name] of choices.peers === undefined ? [] : Object.entries(PEERS)) {
      engines.push(await startEngine(name, folder, given, choices.peers ?? ''));
    }
    for (let turn = 0; turn < TURNS; turn++) {
      for (const engine of engines) engine.times.push(...(await engine.turn()));
    }
    const [own, web, node] = engines as [Engine, Engine?, Engine?];
    return {
      name: subject.name,
      ms: median(own.times),
      ...own.ready,
      peers: {
        ...(web && { ortWeb: { ms: median(web.times) } }),
        ...(node && { ortNode: { ms: median(node.times) } }),
      },
    };
  } finally {
    for (const { stop } of engines) stop();
    rmSync(folder, { recursive: true });
  }
}

/** A process with a model. */
interface Engine {
  readonly ready: Ready;
  readonly times: number[];
  /** Runs the model for a while. */
  readonly turn: () => Promise<ReadonlyArray<number>>;
  readonly stop: () => void;
}

/** Starts a process; the first run is over when it is there. */
async function startEngine(
  name: string,
  folder: string,
  input: WorkerInput,
  peers: string,
): Promise<Engine> {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(input));
  const child = fork(fileURLToPath(new URL('worker.js', import.meta.url)), [name, file, peers]);
  const answer = <A>(): Promise<A> =>
    new Promise((resolve, reject) => {
      const failed = (): void => reject(new Error(`${name} gave up`));
      child.once('exit', failed);
      child.once('message', (message) => {
        child.off('exit', failed);
        resolve(message as A);
      });
    });
  const ready = await answer<Ready>();
  const turn = (): Promise<ReadonlyArray<number>> => {
    child.send('turn');
    return answer<ReadonlyArray<number>>();
  };
  return { ready, times: [], turn, stop: () => void child.kill() };
}

function writeInputs(
  folder: string,
  inputs: Arguments,
  { isSimd, isPlain }: ModelChoices,
): Omit<WorkerInput, 'model'> {
  const files = Object.entries(inputs).map(([name, value], i) => {
    if (!isTensor(value)) throw new Error(`${name} is no tensor`);
    const { data, shape, dtype } = value;
    const path = join(folder, `input-${i}.bin`);
    const { buffer, byteOffset, byteLength } = data as Float32Array;
    writeFileSync(path, new Uint8Array(buffer, byteOffset, byteLength));
    return { name, shape, dtype, path };
  });
  return { inputs: files, isSimd, isPlain };
}

function median(times: ReadonlyArray<number>): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}
