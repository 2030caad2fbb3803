/**
 * A process that measures one variant of one model: `worker.js VARIANT INDEX ARGUMENTS...`, where
 * the arguments of the bench name the models. Nothing else runs here, so V8 has seen only this
 * program.
 */
import { isLeft } from '@baton/base';
import { fuse, type KernelRun, levelOf, operatorTimes, watched } from '@baton/report';
import {
  type Executor,
  evaluate,
  type IRModule,
  inferTypes,
  optimize,
  orThrow,
  runPass,
  type Tensor,
} from 'batonjs';
import { readArguments } from '../arguments.ts';
import { chosenSubjects } from '../subjects/chosen.ts';
import type { Answer, Ask } from './protocol.ts';

/** A sample lasts at least this long: a shorter program is run several times. */
const SAMPLE_MS = 30;

/** A program is warm after two runs and this much time. */
const WARM_UP_MS = 500;

/** A single run of this length suffices to be warm. */
const LONG_MS = 3_000;

const now = (): number => performance.now();

interface Loaded {
  readonly executor: Executor;
  readonly typed: IRModule;
  readonly inputs: Readonly<Record<string, Tensor>>;
}

async function load(): Promise<Loaded> {
  const args = readArguments(process.argv.slice(4));
  if (typeof args === 'string') throw new Error(args);
  const subjects = await chosenSubjects(args);
  if (typeof subjects === 'string') throw new Error(subjects);
  const subject = subjects[Number(process.argv[3])];
  if (subject === undefined) throw new Error('no such model');
  const { module, inputs } = orThrow(await subject.load());
  return { executor: args.executor, typed: orThrow(inferTypes(module)), inputs };
}

function makeVariant({ executor, typed, inputs }: Loaded, name: string) {
  const [, digit] = /^level (\d)$/.exec(name) ?? [];
  const level = digit === undefined ? undefined : levelOf(Number(digit));
  const optimized = (): IRModule =>
    level === undefined ? typed : orThrow(runPass(optimize({ level }))(typed)).module;
  const optimizeOnce = (): Answer => {
    const start = now();
    const module = optimized();
    const middle = now();
    orThrow(fuse(module));
    return { ms: middle - start, fuseMs: now() - middle };
  };

  let kernels: KernelRun[] = [];
  let program: IRModule | undefined;
  let repeats = 1;
  const runOnce = (): number => {
    program ??= watched(orThrow(fuse(optimized())).module, now, (run) => kernels.push(run));
    const start = now();
    const value = evaluate(program, inputs, { executor });
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
  return (ask: Ask): Answer => {
    switch (ask) {
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

const answering = load().then((loaded) => makeVariant(loaded, process.argv[2] ?? ''));

process.on('message', (ask: Ask) => {
  answering
    .then((answer) => send(answer(ask)))
    .catch((error: unknown) => {
      send({ ms: 0, error: error instanceof Error ? error.message : `${error}` });
    });
});
process.on('disconnect', () => process.exit());
