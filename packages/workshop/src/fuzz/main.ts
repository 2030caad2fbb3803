/** `pnpm fuzz`: random programs through every pass, texts through the parser, gradients, e-graphs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeProgress } from '@baton/cli';
import {
  emptyTally,
  type Failure,
  FUZZED,
  fileNameOf,
  GROUPS,
  passByName,
  passesOf,
  printTally,
  reduceFailure,
  runGroup,
  writeFailure,
} from '@baton/testing';
import type { Executor } from 'batonjs';
import { begin } from '../begin.ts';
import { readState, writeState } from '../state-file.ts';
import { type FuzzCommand, readCommand, USAGE } from './arguments.ts';
import { runCodeMutants, runMutants } from './mutants.ts';
import { type FuzzState, freshState, stateCodec } from './state.ts';
import { makeTargets, noCounts } from './targets.ts';

const EXIT_FINDINGS = 1;
const EXIT_USAGE = 2;

/** The number of programs of each group, and of other cases, between two looks at the clock. */
const PROGRAMS_A_TURN = 10;
const CASES_A_TURN = 20;

/** The most failures of a run that are reduced; others are only counted. */
const MOST_REDUCED = 10;

const corpus = fileURLToPath(new URL('../../../../test/fuzz/corpus/', import.meta.url));

function main(): number | Promise<number> {
  const command = readCommand(process.argv.slice(2));
  if (typeof command === 'string') {
    process.stderr.write(`${command}\n\n${USAGE}\n`);
    return EXIT_USAGE;
  }
  switch (command._tag) {
    case 'Run':
      return fuzz(command.seed, command.minutes, command.state);
    case 'Seeds':
      return seeds(command);
    case 'Cases':
      return cases(command.target, command.seed, command.count);
    case 'Mutants':
      return mutants(command.only, command.executor);
  }
}

async function mutants(only: string | undefined, executor: Executor): Promise<number> {
  const isCaught = runMutants(only, executor, write);
  const isCodeCaught = await runCodeMutants(only, write);
  return isCaught && isCodeCaught ? 0 : EXIT_FINDINGS;
}

/** The number of cases between two progress reports. */
const CASES_A_STEP = 500;

const STEPS = 200;

async function cases(name: string, seed: number, count: number): Promise<number> {
  const progress = makeProgress('lines');
  const counts = noCounts();
  const { proofs, late, executors, operators, compiled, modules } = counts;
  const { exports, files, gradients } = counts;
  const step = Math.max(CASES_A_STEP, Math.ceil(count / STEPS));
  const problems: string[] = [];
  for (const target of makeTargets(counts).filter((t) => t.name === name)) {
    for (let done = 0; done < count; done += step) {
      problems.push(...(await target.run(seed + done, Math.min(step, count - done))));
      progress.step(`${done} cases`);
    }
  }
  progress.done();
  for (const problem of problems) write(problem);
  write(`${count} cases of ${name} from seed ${seed}: ${problems.length} failures`);
  if (proofs.proofs > 0) write(`${proofs.proofs} proofs replayed`);
  if (late.programs > 0) {
    write(`${late.late} of ${late.programs} accepted with less said, ${late.runs} runs of passes`);
  }
  if (executors.programs > 0) {
    write(`${executors.programs} programs on every executor, ${executors.values} gave a value`);
  }
  if (operators.calls > 0) {
    write(`${operators.calls} calls of ${operators.operators.size} operators with compiled code`);
  }
  if (compiled.programs > 0) {
    write(`${compiled.programs} programs, as they are and prepared, ${compiled.compared} compared`);
  }
  if (modules.programs > 0) {
    write(`${modules.compiled} of ${modules.programs} programs have a module`);
  }
  if (exports.programs > 0) {
    write(
      `${exports.exported} of ${exports.programs} exported, ${exports.open} with open sizes, ${exports.compared} read again and compared, ${exports.ran} run in onnxruntime`,
    );
  }
  for (const [outcome, times] of gradients) write(`${times} ${outcome}`);
  if (files.refused > 0) write(`${files.imported} files imported, ${files.refused} refused`);
  return problems.length === 0 ? 0 : EXIT_FINDINGS;
}

async function fuzz(seed: number, minutes: number, statePath: string): Promise<number> {
  const progress = makeProgress('lines');
  const counts = noCounts();
  const targets = makeTargets(counts);
  const end = performance.now() + minutes * 60_000;
  let state = readState<FuzzState>(statePath, stateCodec, freshState(seed));
  if (state.programs > 0) write(`goes on after ${state.programs} programs of each group`);
  const problems: string[] = [];
  let reduced = 0;
  let turns = 0;
  while (performance.now() < end) {
    const failures: Failure[] = [];
    const before = problems.length;
    for (const group of GROUPS) {
      const result = runGroup(group, FUZZED, state.tally, {
        seed,
        from: state.programs,
        count: PROGRAMS_A_TURN,
        withSequences: true,
      });
      state = { ...state, tally: result.tally };
      failures.push(...result.failures);
    }
    for (const target of targets) {
      const found = await target.run(seed + state.cases, CASES_A_TURN);
      problems.push(...found.map((p) => `${target.name}, ${p}`));
    }
    for (const failure of failures) {
      problems.push(reduced < MOST_REDUCED ? recorded(failure) : line(failure));
      reduced++;
    }
    state = {
      ...state,
      programs: state.programs + PROGRAMS_A_TURN,
      cases: state.cases + CASES_A_TURN,
      failures: state.failures + problems.length - before,
    };
    writeState(statePath, state);
    if (++turns % 10 === 0) progress.step(summary(state));
  }
  progress.done();
  write(printTally(state.tally, FUZZED));
  for (const problem of problems) write(problem);
  write(`${summary(state)}; ${counts.proofs.proofs} proofs replayed; failures: ${state.failures}`);
  return problems.length === 0 ? 0 : EXIT_FINDINGS;
}

/** Every group under many seeds: each failure without a bug is a false alarm. */
function seeds(command: Extract<FuzzCommand, { _tag: 'Seeds' }>): number {
  const { seed: first, seeds: count, share, executor } = command;
  const progress = makeProgress('lines');
  let green = 0;
  for (let i = 0; i < count; i++) {
    const seed = first + i;
    const failures = GROUPS.flatMap((group) => {
      const options = {
        seed,
        from: 0,
        count: group.programs * share,
        withSequences: true,
        executor,
      };
      return runGroup(group, passesOf(group), emptyTally, options).failures;
    });
    for (const failure of failures) write(`seed ${seed}: ${recorded(failure, executor)}`);
    if (failures.length === 0) green++;
    progress.step(`${i + 1} of ${count} seeds, ${green} green`);
  }
  progress.done();
  const all = GROUPS.reduce((sum, group) => sum + group.programs * share, 0);
  write(`${green} of ${count} seeds from ${first} green, ${all} programs each`);
  return green === count ? 0 : EXIT_FINDINGS;
}

/** Reduces a failure and writes it into the corpus, which the normal run replays. */
function recorded(failure: Failure, executor?: Executor): string {
  const { failure: small, reduction } = reduceFailure(failure, passByName(failure.pass), executor);
  const name = fileNameOf(small);
  mkdirSync(corpus, { recursive: true });
  writeFileSync(`${corpus}${name}`, writeFailure(small));
  return `${line(small)}: ${reduction.calls} operator calls, test/fuzz/corpus/${name}`;
}

const line = ({ pass, seed, violation }: Failure): string =>
  `${pass}, program ${seed}, ${violation.property}: ${violation.detail}`;

const summary = (state: FuzzState): string =>
  `${state.programs} programs of each of ${GROUPS.length} groups through ${FUZZED.length} passes, ` +
  `${state.cases} cases of each other target, seed ${state.seed}`;

const write = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

await begin(main);
