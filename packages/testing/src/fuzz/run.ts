/** Runs passes on the programs of a group. */
import type { Executor } from '@baton/executor';
import type { Enrolled, Group } from './enrolment.ts';
import type { Failure } from './failure.ts';
import { subjectOf } from './programs.ts';
import { baselineOf, checkProperties, type Outcome } from './properties.ts';
import { counted, type Tally } from './tally.ts';

export interface RunOptions {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly withSequences: boolean;
  /** The executor of the programs. Default: `interpreter`. */
  readonly executor?: Executor;
  readonly stopAtFailure?: boolean;
}

export interface RunResult {
  readonly tally: Tally;
  readonly failures: ReadonlyArray<Failure>;
  readonly programs: number;
}

/** A pass runs twice on every n-th program, with the same result. */
const DETERMINISM_EVERY = 4;

/** Checks every property of the passes on programs of a group; a program's runs are shared. */
export function runGroup(
  group: Group,
  enrolled: ReadonlyArray<Enrolled>,
  start: Tally,
  options: RunOptions,
): RunResult {
  let tally = start;
  const failures: Failure[] = [];
  for (let i = 0; i < options.count; i++) {
    const index = options.from + i;
    const subject = subjectOf(group, options.seed, index);
    const base = baselineOf(subject.module, subject.seed, options.executor);
    if (base === undefined) continue;
    const checkDeterminism = index % DETERMINISM_EVERY === 0;
    const note = (pass: string, { violation }: Outcome, module = subject.module): void => {
      const { seed } = subject;
      if (violation !== undefined) failures.push({ pass, seed, violation, module });
    };
    for (const { name, pass, group: own } of enrolled) {
      const outcome = checkProperties(pass, base, { checkDeterminism });
      tally = counted(tally, name, own === group.name, outcome);
      note(name, outcome);
    }
    if (options.withSequences) {
      let { module } = subject;
      for (const { name, pass } of subject.sequence) {
        const isFirst = module === subject.module;
        const before = isFirst ? base : baselineOf(module, subject.seed, options.executor);
        if (before === undefined) break;
        const outcome = checkProperties(pass, before, { checkDeterminism: false });
        note(name, outcome, module);
        if (outcome.module === undefined) break;
        module = outcome.module;
      }
    }
    if (options.stopAtFailure === true && failures.length > 0) {
      return { tally, failures, programs: i + 1 };
    }
  }
  return { tally, failures, programs: options.count };
}
