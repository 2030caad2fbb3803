/** The command line of `pnpm fuzz`. */

import { readCommandLine } from '@baton/cli';
import type { Executor } from 'batonjs';
import { executorNamed } from '../executors.ts';

export type FuzzCommand =
  /** Runs random cases until the time is up. */
  | {
      readonly _tag: 'Run';
      readonly seed: number;
      readonly minutes: number;
      readonly state: string;
    }
  /** Runs the normal run under other seeds, to find false alarms. */
  | {
      readonly _tag: 'Seeds';
      readonly seed: number;
      readonly seeds: number;
      readonly share: number;
      readonly executor: Executor;
    }
  /** Runs cases of one target: texts, rule sets, late types, files, programs of each generator. */
  | {
      readonly _tag: 'Cases';
      readonly seed: number;
      readonly target:
        | 'parser'
        | 'e-graph'
        | 'late types'
        | 'executors'
        | 'operators'
        | 'compiled'
        | 'modules'
        | 'exports'
        | 'files'
        | 'rules'
        | 'gradients';
      readonly count: number;
    }
  /** Runs deliberately broken passes. */
  | {
      readonly _tag: 'Mutants';
      readonly only: string | undefined;
      readonly executor: Executor;
    };

export const USAGE = `pnpm fuzz --seed S [--minutes N] [--state FILE]
pnpm fuzz --seed S --seeds N [--tenth]
pnpm fuzz --seed S --texts N
pnpm fuzz --seed S --graphs N
pnpm fuzz --seed S --late N
pnpm fuzz --seed S --executors N
pnpm fuzz --seed S --operators N
pnpm fuzz --seed S --compiled N
pnpm fuzz --seed S --modules N
pnpm fuzz --seed S --exports N
pnpm fuzz --seed S --files N
pnpm fuzz --seed S --rules N
pnpm fuzz --seed S --gradients N
pnpm fuzz --mutants [--only NAME]

With --executor oracle, --seeds and --mutants run their programs on the oracle.`;

const OPTIONS = {
  minutes: { type: 'string' },
  seed: { type: 'string' },
  seeds: { type: 'string' },
  tenth: { type: 'boolean' },
  texts: { type: 'string' },
  graphs: { type: 'string' },
  late: { type: 'string' },
  executors: { type: 'string' },
  operators: { type: 'string' },
  compiled: { type: 'string' },
  modules: { type: 'string' },
  exports: { type: 'string' },
  files: { type: 'string' },
  rules: { type: 'string' },
  gradients: { type: 'string' },
  state: { type: 'string' },
  mutants: { type: 'boolean' },
  executor: { type: 'string' },
  only: { type: 'string' },
} as const;

export function readCommand(argv: ReadonlyArray<string>): FuzzCommand | string {
  const line = readCommandLine(argv, OPTIONS);
  if (typeof line === 'string') return line;
  const { values } = line;
  const executor = executorNamed(values.executor);
  if (typeof executor === 'string') return executor;
  if (values.mutants === true) return { _tag: 'Mutants', only: values.only, executor };
  const seed = Number(values.seed ?? Number.NaN);
  if (!Number.isInteger(seed))
    return `--seed expects a whole number, found ${values.seed ?? 'nothing'}`;
  const cases = [
    { target: 'parser', count: values.texts },
    { target: 'e-graph', count: values.graphs },
    { target: 'late types', count: values.late },
    { target: 'executors', count: values.executors },
    { target: 'operators', count: values.operators },
    { target: 'compiled', count: values.compiled },
    { target: 'modules', count: values.modules },
    { target: 'exports', count: values.exports },
    { target: 'files', count: values.files },
    { target: 'rules', count: values.rules },
    { target: 'gradients', count: values.gradients },
  ] as const;
  const chosen = cases.find(({ count }) => count !== undefined);
  if (chosen !== undefined) {
    const count = Number(chosen.count);
    if (!(count > 0)) return `${chosen.target}: expected how many, found ${chosen.count}`;
    return { _tag: 'Cases', seed, target: chosen.target, count };
  }
  if (values.seeds !== undefined) {
    const seeds = Number(values.seeds);
    const share = values.tenth === true ? 0.1 : 1;
    if (!(seeds > 0)) return `--seeds expects how many, found ${values.seeds}`;
    return { _tag: 'Seeds', seed, seeds, share, executor };
  }
  const minutes = Number(values.minutes ?? 1);
  const state = values.state ?? `.fuzz/${seed}.json`;
  if (!(minutes > 0)) return `--minutes expects how many, found ${values.minutes}`;
  return { _tag: 'Run', seed, minutes, state };
}
