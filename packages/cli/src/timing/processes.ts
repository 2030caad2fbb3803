/**
 * Measures each variant in a separate process, warmed up and interleaved: the load of the machine
 * affects all alike, and no variant affects another.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { remember } from '@baton/base';
import {
  LEVELS,
  type RunTimes,
  type Timing,
  timedOf,
  type Variant,
  type VariantName,
  variantAt,
} from '@baton/report';
import type { Answer, Ask, Request } from './protocol.ts';

/** The time that the samples of all variants take together, within {@link ROUNDS}. **Units** ms. */
const BUDGET = { optimize: 1_000, run: 3_000 } as const;

const ROUNDS = { least: 3, settled: 5, most: 9 } as const;

/** Samples are settled if their middle half lies within this share of their median. */
const SETTLED = 0.02;

/**
 * Times variants in processes of `worker`, given the variant and `argv`. A process starts with the
 * first model that has its variant, and serves those after it: it is loaded, and its code compiled, once.
 */
export function inProcesses(worker: string, argv: ReadonlyArray<string>): Timing {
  const started = new Map<VariantName, WorkerProcess>();
  return async (position, variants) => {
    const workers = variants.map((variant): Worker & Variant => {
      const process = remember(started, variant.name, () => start(worker, [variant.name, ...argv]));
      return { ...variant, ask: (ask) => process({ position, ask }) };
    });
    const running = workers.filter((w) => w.runs);
    // All at once: nothing is timed meanwhile, and the caller may compute at the same time.
    await Promise.all(running.map((w) => w.ask('prepare')));
    const optimized = workers.filter((w) => LEVELS.some((level) => variantAt(level) === w.name));
    const optimizeTimes = await sampled(optimized, 'optimize');
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
  };
}

interface Worker {
  readonly name: VariantName;
  readonly ask: (ask: Ask) => Promise<Answer>;
}

/** Interleaved samples of all workers, once all are warm; each round starts with another worker. */
async function sampled(
  workers: ReadonlyArray<Worker>,
  ask: 'optimize' | 'run',
): Promise<ReadonlyMap<VariantName, ReadonlyArray<Answer>>> {
  const samples = new Map<VariantName, Answer[]>(workers.map(({ name }) => [name, []]));
  const roundMs = await warmed(workers, ask);
  const affordable = Math.floor(BUDGET[ask] / roundMs);
  const rounds = Math.max(ROUNDS.least, Math.min(ROUNDS.most, affordable));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < workers.length; i++) {
      const worker = workers[(round + i) % workers.length];
      if (worker !== undefined) samples.get(worker.name)?.push(await worker.ask(ask));
    }
    if ([...samples.values()].every(isSettled)) break;
  }
  return samples;
}

/** Warms all workers, as many at a time as the machine runs. Gives the time of one round of them. */
async function warmed(workers: ReadonlyArray<Worker>, ask: 'optimize' | 'run'): Promise<number> {
  const waiting = [...workers];
  let roundMs = 0;
  const inTurn = async (): Promise<void> => {
    for (let worker = waiting.shift(); worker !== undefined; worker = waiting.shift()) {
      roundMs += (await worker.ask(`warm ${ask}`)).ms;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, inTurn));
  return roundMs;
}

function isSettled(samples: ReadonlyArray<Answer>): boolean {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return sorted.length >= ROUNDS.settled && at(0.75) - at(0.25) <= SETTLED * at(0.5);
}

function runTimesOf(runs: ReadonlyArray<Answer>): RunTimes {
  const sorted = [...runs].sort((a, b) => a.ms - b.ms);
  return {
    timed: timedOf(runs.map((run) => run.ms)),
    operators: sorted[sorted.length >> 1]?.operators ?? [],
  };
}

type WorkerProcess = (request: Request) => Promise<Answer>;

/** Starts a process. It keeps this one running only while it owes an answer, and ends with it. */
function start(worker: string, args: ReadonlyArray<string>): WorkerProcess {
  // The child gets only Node's own options, not those of a test runner.
  const child = fork(worker, args, { execArgv: [] });
  child.unref();
  return (request) =>
    new Promise<Answer>((resolve, reject) => {
      const ended = (): void => reject(new Error(`the process of ${args[0]} ended`));
      child.channel?.ref();
      child.once('exit', ended);
      child.once('error', reject);
      child.once('message', (message) => {
        child.off('exit', ended);
        child.off('error', reject);
        child.channel?.unref();
        // The worker sends only answers.
        const answer = message as Answer;
        if (answer.error === undefined) resolve(answer);
        else reject(new Error(`${args[0]}: ${answer.error}`));
      });
      child.send(request);
    });
}
