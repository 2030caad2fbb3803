/**
 * Measures each variant of a model in a separate process, warmed up and interleaved: the load of
 * the machine affects all alike, and no program affects another.
 */
import { type ChildProcess, fork } from 'node:child_process';
import {
  LEVELS,
  type RunTimes,
  type Timing,
  timedOf,
  type VariantName,
  variantAt,
} from '@baton/report';
import type { Answer, Ask } from './protocol.ts';

const samplesOf = (ms: number): number => (ms < 300 ? 9 : ms < 800 ? 7 : ms < 1_500 ? 5 : 3);

/**
 * Times variants in processes of the program `worker`, which serves times (`serveTimes`) and gets
 * the variant's name, the position of the model, and `argv`.
 */
export const inProcesses =
  (worker: string, argv: ReadonlyArray<string>): Timing =>
  async (position, variants) => {
    const workers = variants.map((variant) => ({
      ...variant,
      process: start(worker, [variant.name, `${position}`, ...argv]),
    }));
    try {
      const optimized = workers.filter((w) => LEVELS.some((level) => variantAt(level) === w.name));
      const optimizeTimes = await sampled(optimized, 'warm optimize', 'optimize');
      const running = workers.filter((w) => w.runs);
      const runTimes = await sampled(running, 'warm run', 'run');
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

/** Interleaved samples of all workers, once all are warm; each round starts with another worker. */
async function sampled(
  workers: ReadonlyArray<Worker>,
  warmUp: Ask,
  ask: Ask,
): Promise<ReadonlyMap<VariantName, ReadonlyArray<Answer>>> {
  const samples = new Map<VariantName, Answer[]>(workers.map(({ name }) => [name, []]));
  let longest = 0;
  for (const worker of workers) longest = Math.max(longest, (await worker.process.ask(warmUp)).ms);
  const rounds = samplesOf(longest);
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
