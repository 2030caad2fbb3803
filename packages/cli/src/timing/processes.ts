/**
 * Measures each variant of a model in a separate process, warmed up and interleaved: the load of
 * the machine affects all alike, and no program affects another.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import {
  LEVELS,
  type RunTimes,
  type Timing,
  timedOf,
  type VariantName,
  variantAt,
} from '@baton/report';
import type { Answer, Ask } from './protocol.ts';

/** The time that the samples of all variants take together, within {@link ROUNDS}. **Units** ms. */
const BUDGET = { optimize: 1_500, run: 4_000 } as const;

const ROUNDS = { least: 3, most: 9 } as const;

/** Times variants in processes of `worker`, given the variant, the model's position and `argv`. */
export const inProcesses =
  (worker: string, argv: ReadonlyArray<string>): Timing =>
  async (position, variants) => {
    const workers = variants.map((variant) => ({
      ...variant,
      process: start(worker, [variant.name, `${position}`, ...argv]),
    }));
    try {
      const optimized = workers.filter((w) => LEVELS.some((level) => variantAt(level) === w.name));
      const optimizeTimes = await sampled(optimized, 'optimize');
      const running = workers.filter((w) => w.runs);
      await prepare(running);
      const runTimes = await sampled(running, 'run');
      return new Map(
        variants.map(({ name }) => {
          const passes = optimizeTimes.get(name);
          const runs = runTimes.get(name);
          return [
            name,
            {
              run: runs && runTimesOf(runs),
              optimize: passes && timedOf(passes.map((a) => a.ms)),
              fuse: passes && timedOf(passes.map((a) => a.fuseMs ?? 0)),
            },
          ];
        }),
      );
    } finally {
      for (const worker of workers) worker.process.close();
    }
  };

interface Worker {
  readonly name: VariantName;
  readonly process: WorkerProcess;
}

/** Prepares the programs of all workers, as many at a time as the machine runs. */
async function prepare(workers: ReadonlyArray<Worker>): Promise<void> {
  const waiting = [...workers];
  const inTurn = async (): Promise<void> => {
    for (let worker = waiting.shift(); worker !== undefined; worker = waiting.shift()) {
      await worker.process.ask('prepare');
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, inTurn));
}

/** Interleaved samples of all workers, once all are warm; each round starts with another worker. */
async function sampled(
  workers: ReadonlyArray<Worker>,
  ask: 'optimize' | 'run',
): Promise<ReadonlyMap<VariantName, ReadonlyArray<Answer>>> {
  const samples = new Map<VariantName, Answer[]>(workers.map(({ name }) => [name, []]));
  let roundMs = 0;
  for (const worker of workers) roundMs += (await worker.process.ask(`warm ${ask}`)).ms;
  const affordable = Math.floor(BUDGET[ask] / roundMs);
  const rounds = Math.max(ROUNDS.least, Math.min(ROUNDS.most, affordable));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < workers.length; i++) {
      const worker = workers[(round + i) % workers.length];
      if (worker !== undefined) samples.get(worker.name)?.push(await worker.process.ask(ask));
    }
  }
  return samples;
}

function runTimesOf(runs: ReadonlyArray<Answer>): RunTimes {
  const sorted = [...runs].sort((a, b) => a.ms - b.ms);
  return {
    timed: timedOf(runs.map((run) => run.ms)),
    operators: sorted[sorted.length >> 1]?.operators ?? [],
  };
}

interface WorkerProcess {
  readonly ask: (ask: Ask) => Promise<Answer>;
  readonly close: () => void;
}

function start(worker: string, args: ReadonlyArray<string>): WorkerProcess {
  // The child gets only Node's own options, not those of a test runner.
  const child: ChildProcess = fork(worker, args, { execArgv: [] });
  return {
    ask: (ask) =>
      new Promise((resolve, reject) => {
        const ended = (): void => reject(new Error(`the process of ${args[0]} ended`));
        child.once('exit', ended);
        child.once('error', reject);
        child.once('message', (message) => {
          child.off('exit', ended);
          child.off('error', reject);
          // The worker sends only answers.
          const answer = message as Answer;
          if (answer.error === undefined) resolve(answer);
          else reject(new Error(`${args[0]}: ${answer.error}`));
        });
        child.send(ask);
      }),
    close: () => {
      if (child.connected) child.disconnect();
    },
  };
}
