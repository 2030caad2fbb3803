/** The search for a failure of passes that are broken. */
import type { Executor } from '@baton/executor';
import { GROUPS } from '../fuzz/enrolment.ts';
import { reduceFailure, writeFailure } from '../fuzz/failure.ts';
import { NORMAL_SEED } from '../fuzz/normal-run.ts';
import { runGroup } from '../fuzz/run.ts';
import { emptyTally } from '../fuzz/tally.ts';
import type { Mutant } from './mutant.ts';

/** How a mutant was caught. */
export interface Catch {
  readonly pass: string;
  readonly property: string;
  readonly detail: string;
  /** How many programs were run until then. */
  readonly programs: number;
  /** Operator calls of the program that is left after reduction. */
  readonly calls: number;
  readonly text: string;
}

/** The most operator calls that a reduced failure may have. */
export const MAX_REDUCED_CALLS = 6;

/** The first failure among the programs that the normal run has of a group, reduced. */
export function hunt(mutant: Mutant, executor?: Executor): Catch | undefined {
  const group = GROUPS.find((g) => g.name === mutant.group);
  if (group === undefined) return undefined;
  const { failures, programs } = runGroup(group, mutant.passes, emptyTally, {
    seed: NORMAL_SEED,
    ...(executor && { executor }),
    from: 0,
    count: group.programs,
    withSequences: false,
    stopAtFailure: true,
  });
  const [first] = failures;
  if (first === undefined) return undefined;
  const broken = mutant.passes.find((e) => e.name === first.pass)?.pass;
  const { failure, reduction } = reduceFailure(first, broken, executor);
  const { property, detail } = failure.violation;
  const text = writeFailure(failure);
  return { pass: failure.pass, property, detail, programs, calls: reduction.calls, text };
}
