/** Processes that each run one model on one engine, interleaved, so that all see the same machine. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTensor } from '@baton/tensor';
import { type Arguments, exportOnnx, type IRModule, orThrow } from 'batonjs';
import type { Ready, Turn, WorkerInput } from './worker.ts';

/** An engine to start: Baton's, or a package of onnxruntime from a folder. */
export type EngineSpec =
  | ({ readonly _tag: 'Baton' } & WorkerInput['choices'])
  | { readonly _tag: 'Peer'; readonly name: string; readonly folder: string };

/** The times of an engine. */
export interface EngineTimes {
  readonly ready: Ready;
  /** The median of the runs. **Units** ms. */
  readonly ms: number;
  /**
   * The processor's time for a run, which others on the machine disturb little: the best tenth of the
   * turns ends there. **Units** ms.
   */
  readonly cpuMs: number;
}

/** How often each engine has its turn, and how long. */
export interface Turns {
  readonly count: number;
  readonly ms: number;
}

/** Runs a model on some engines, interleaved. */
export async function timesInTurn(
  module: IRModule,
  inputs: Arguments,
  specs: ReadonlyArray<EngineSpec>,
  turns: Turns,
): Promise<ReadonlyArray<EngineTimes>> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-compiled-'));
  const engines: Engine[] = [];
  try {
    const model = join(folder, 'given.onnx');
    writeFileSync(model, orThrow(exportOnnx(module)));
    const files = writeInputs(folder, inputs);
    for (const [i, spec] of specs.entries()) {
      engines.push(await startEngine(spec, join(folder, `${i}.json`), { model, inputs: files }));
    }
    for (let turn = 0; turn < turns.count; turn++) {
      for (const engine of engines) engine.turns.push(await engine.turn(turns.ms));
    }
    return engines.map(({ ready, turns }) => ({
      ready,
      ms: median(turns.flatMap(({ times }) => times)),
      cpuMs: bestTenth(turns.map(({ cpuMs }) => cpuMs)),
    }));
  } finally {
    for (const { stop } of engines) stop();
    rmSync(folder, { recursive: true });
  }
}

/** A process with a model. */
interface Engine {
  readonly ready: Ready;
  readonly turns: Turn[];
  /** Runs the model for `ms` milliseconds. */
  readonly turn: (ms: number) => Promise<Turn>;
  readonly stop: () => void;
}

/** Starts a process; the first run is over when it is there. */
async function startEngine(
  spec: EngineSpec,
  file: string,
  given: Omit<WorkerInput, 'choices'>,
): Promise<Engine> {
  const isBaton = spec._tag === 'Baton';
  const [name, peers] = isBaton ? ['baton', ''] : [spec.name, spec.folder];
  const choices = isBaton ? spec : AS_GIVEN;
  writeFileSync(file, JSON.stringify({ ...given, choices } satisfies WorkerInput));
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
  const turn = (ms: number): Promise<Turn> => {
    child.send(ms);
    return answer<Turn>();
  };
  return { ready, turns: [], turn, stop: () => void child.kill() };
}

const AS_GIVEN: WorkerInput['choices'] = {
  level: undefined,
  fusion: 'all',
  isSimd: false,
  isPlain: false,
  threads: 1,
};

function writeInputs(folder: string, inputs: Arguments): WorkerInput['inputs'] {
  return Object.entries(inputs).map(([name, value], i) => {
    if (!isTensor(value)) throw new Error(`${name} is no tensor`);
    const { data, shape, dtype } = value;
    const path = join(folder, `input-${i}.bin`);
    const { buffer, byteOffset, byteLength } = data as Float32Array;
    writeFileSync(path, new Uint8Array(buffer, byteOffset, byteLength));
    return { name, shape, dtype, path };
  });
}

function median(times: ReadonlyArray<number>): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

function bestTenth(times: ReadonlyArray<number>): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 10)] ?? Number.NaN;
}
