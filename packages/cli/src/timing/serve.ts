/** Serves the times of one variant of models, in a separate process. */
import process from 'node:process';
import { isLeft } from '@baton/base';
import {
  executorFor,
  fusedFor,
  isVariantName,
  type KernelRun,
  operatorTimes,
  programOf,
  type VariantName,
  watched,
} from '@baton/report';
import {
  type Arguments,
  type Executable,
  type Executor,
  type IRModule,
  inferTypes,
  orThrow,
} from 'batonjs';
import type { Answer, Ask, Request } from './protocol.ts';

/** The least duration of a sample: a shorter program is run several times. */
const SAMPLE_MS = 30;

/** A program is warm after two runs and this much time. */
const WARM_UP_MS = 500;

/** A single run of this length suffices to be warm. */
const LONG_MS = 3_000;

const now = (): number => performance.now();

export interface Timed {
  readonly executor: Executor;
  readonly module: IRModule;
  readonly inputs: Arguments;
}

type Answering = (ask: Ask) => Answer;

function makeVariant({ executor, module, inputs }: Timed, name: VariantName): Answering {
  const typed = orThrow(inferTypes(module));
  const given = { module: typed, inputs, executor };
  const optimized = (): IRModule => orThrow(programOf(name, given));
  const optimizeOnce = (): Answer => {
    const start = now();
    const module = optimized();
    const middle = now();
    orThrow(fusedFor(name, module));
    return { ms: middle - start, fuseMs: now() - middle };
  };

  const runner = executorFor(name, executor);
  let kernels: KernelRun[] = [];
  let program: Executable | undefined;
  let repeats = 1;
  const prepared = (): Executable =>
    orThrow(
      runner.prepare(
        watched(orThrow(fusedFor(name, optimized())), now, (run) => kernels.push(run)),
      ),
    );
  const runOnce = (): number => {
    program ??= prepared();
    const start = now();
    const value = program.run(inputs);
    const ms = now() - start;
    if (isLeft(value)) orThrow(value);
    return ms;
  };
  const run = (): Answer => {
    kernels = [];
    let ms = 0;
    for (let count = 0; count < repeats; count++) ms += runOnce();
    return { ms: ms / repeats, operators: operatorTimes(kernels, repeats) };
  };
  const warm = (once: () => number): Answer => {
    const start = now();
    let ms = once();
    if (ms > LONG_MS) return { ms };
    do ms = once();
    while (now() - start < WARM_UP_MS);
    return { ms };
  };
  return (ask) => {
    switch (ask) {
      case 'prepare':
        program ??= prepared();
        return { ms: 0 };
      case 'warm optimize':
        return warm(() => optimizeOnce().ms);
      case 'optimize':
        return optimizeOnce();
      case 'warm run': {
        const warmed = warm(runOnce);
        repeats = Math.max(1, Math.ceil(SAMPLE_MS / warmed.ms));
        return warmed;
      }
      case 'run':
        return run();
    }
  };
}

const send = (answer: Answer): void => {
  process.send?.(answer);
};

/** Answers requests about the variant of one model after another until the other process ends. */
export function serveTimes(variant: string, load: (position: number) => Promise<Timed>): void {
  let current: { readonly position: number; readonly answering: Promise<Answering> } | undefined;
  const answering = (position: number): Promise<Answering> => {
    if (current?.position !== position) {
      // The program of the model before is garbage before this one is loaded.
      current = undefined;
      const loaded = load(position).then((timed) => {
        if (!isVariantName(variant)) throw new Error(`no variant is named ${variant}`);
        return makeVariant(timed, variant);
      });
      current = { position, answering: loaded };
    }
    return current.answering;
  };
  process.on('message', ({ position, ask }: Request) => {
    answering(position)
      .then((answer) => send(answer(ask)))
      .catch((error: unknown) => {
        send({ ms: 0, error: error instanceof Error ? error.message : `${error}` });
      });
  });
  process.on('disconnect', () => process.exit());
}
