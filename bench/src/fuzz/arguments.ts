/** The command line of `pnpm fuzz`. */
import { parseArgs } from 'node:util';
import type { Executor } from 'batonjs';
import { executorNamed } from '../executors.ts';

/** The commands. */
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
  /** Runs cases of one target: texts, rule sets, late types, programs of each generator. */
  | {
      readonly _tag: 'Cases';
      readonly seed: number;
      readonly target: 'parser' | 'e-graph' | 'late types' | 'executors' | 'rules';
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
pnpm fuzz --seed S --rules N
pnpm fuzz --mutants [--only NAME]

With --executor oracle, --seeds and --mutants run their programs on the oracle.`;

/** The command, or `undefined` for a malformed command line. */
export function readCommand(args: ReadonlyArray<string>): FuzzCommand | undefined {
  const { values } = parseArgs({
    args: args.filter((a) => a !== '--'),
    options: {
      minutes: { type: 'string' },
      seed: { type: 'string' },
      seeds: { type: 'string' },
      tenth: { type: 'boolean' },
      texts: { type: 'string' },
      graphs: { type: 'string' },
      late: { type: 'string' },
      executors: { type: 'string' },
      rules: { type: 'string' },
      state: { type: 'string' },
      mutants: { type: 'boolean' },
      executor: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const executor = executorNamed(values.executor);
  if (executor === undefined) return undefined;
  if (values.mutants === true) return { _tag: 'Mutants', only: values.only, executor };
  const seed = Number(values.seed ?? Number.NaN);
  if (!Number.isInteger(seed)) return undefined;
  const cases = [
    { target: 'parser', count: values.texts },
    { target: 'e-graph', count: values.graphs },
    { target: 'late types', count: values.late },
    { target: 'executors', count: values.executors },
    { target: 'rules', count: values.rules },
  ] as const;
  const chosen = cases.find(({ count }) => count !== undefined);
  if (chosen !== undefined) {
    const count = Number(chosen.count);
    return count > 0 ? { _tag: 'Cases', seed, target: chosen.target, count } : undefined;
  }
  if (values.seeds !== undefined) {
    const seeds = Number(values.seeds);
    const share = values.tenth === true ? 0.1 : 1;
    return seeds > 0 ? { _tag: 'Seeds', seed, seeds, share, executor } : undefined;
  }
  const minutes = Number(values.minutes ?? 1);
  const state = values.state ?? `.fuzz/${seed}.json`;
  return minutes > 0 ? { _tag: 'Run', seed, minutes, state } : undefined;
}
