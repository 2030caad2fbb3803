/** `pnpm hunt`: random ONNX models through every path of Baton, compared with onnxruntime. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeProgress } from '@baton/cli';
import { begin } from '../begin.ts';
import { readState, writeState } from '../state-file.ts';
import { type HuntCommand, readHunt, USAGE } from './arguments.ts';
import { type HuntResult, kindOf } from './hunt.ts';
import { count, freshState, type HuntState, report, stateCodec } from './report.ts';

const EXIT_FINDINGS = 1;
const EXIT_USAGE = 2;

const TIME_LIMIT_MS = 120_000;

/** A process ends after this number of graphs: modules that were imported stay in its memory. */
const GRAPHS_A_PROCESS = 250;

const REDUCED_A_KIND = 6;

const STEP = 20;

async function main(): Promise<number> {
  const command = readHunt(process.argv.slice(2));
  if (typeof command === 'string') {
    process.stderr.write(`${command}\n\n${USAGE}\n`);
    return EXIT_USAGE;
  }
  const { seed, minutes, graphs, from, tool, folder } = command;
  const statePath = join(folder, `${tool ?? 'baton'}-${seed}.json`);
  const state =
    from === undefined
      ? readState<HuntState>(statePath, stateCodec, freshState(seed))
      : { ...freshState(seed), next: from };
  const start = state.graphs;
  if (start > 0) process.stdout.write(`resumes after ${start} graphs\n`);
  const progress = makeProgress('lines');
  const crew = makeCrew(command);
  const reductions = new Map<string, number>();
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end && state.graphs < start + graphs) {
    const full = [...reductions].flatMap(([kind, times]) =>
      times >= REDUCED_A_KIND ? [kind] : [],
    );
    const result = await crew.hunt(state.next, full);
    count(state, result);
    for (const { finding, kind, files } of result.found) {
      const own = kindOf(finding);
      if (files !== undefined) reductions.set(own, (reductions.get(own) ?? 0) + 1);
      progress.step(`graph ${result.index}: ${kind}: ${finding.detail}`);
    }
    if (from === undefined) writeState(statePath, state);
    if (state.graphs % STEP === 0) progress.step(summary(state));
  }
  crew.end();
  progress.done();
  process.stdout.write(`${report(state)}\n`);
  return Object.keys(state.found).length === 0 ? 0 : EXIT_FINDINGS;
}

const summary = ({ graphs, found }: HuntState): string =>
  `${graphs} graphs, ${Object.values(found).reduce((a, b) => a + b, 0)} findings`;

/** A process at a time that hunts. */
interface Crew {
  readonly hunt: (index: number, reduced: ReadonlyArray<string>) => Promise<HuntResult>;
  readonly end: () => void;
}

function makeCrew(command: HuntCommand): Crew {
  const path = fileURLToPath(new URL('worker.js', import.meta.url));
  const start = (): ChildProcess => fork(path, { serialization: 'advanced' });
  let worker = start();
  let done = 0;
  const again = (signal: NodeJS.Signals): void => {
    worker.kill(signal);
    worker = start();
    done = 0;
  };
  return {
    hunt: async (index, reduced) => {
      if (++done > GRAPHS_A_PROCESS) again('SIGTERM');
      worker.send({ index, command, reduced });
      const answer = await answerOf(worker);
      if (typeof answer !== 'string') return answer;
      again('SIGKILL');
      return ended(index, answer);
    },
    end: () => worker.disconnect(),
  };
}

/** The result of a process, or how it ended without one. */
async function answerOf(worker: ChildProcess): Promise<HuntResult | string> {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), TIME_LIMIT_MS);
  const { signal } = stop;
  const gone = once(worker, 'exit', { signal }).then(
    ([code, by]) => `the process ended: ${code ?? by}`,
  );
  const said = once(worker, 'message', { signal }).then(([result]): HuntResult => result);
  try {
    return await Promise.race([said, gone]);
  } catch {
    return `no end after ${TIME_LIMIT_MS} ms`;
  } finally {
    clearTimeout(late);
    stop.abort();
    await Promise.allSettled([said, gone]);
  }
}

/** The result of a graph on which the process ended, or did not end. */
const ended = (index: number, detail: string): HuntResult => {
  const finding = { path: 'process', isSized: true, kind: 'throws', outputs: [], detail } as const;
  return {
    index,
    skipped: undefined,
    refusals: [],
    ran: [],
    found: [{ finding, kind: `${kindOf(finding)} [graph ${index}]`, files: undefined }],
  };
};

await begin(main);
