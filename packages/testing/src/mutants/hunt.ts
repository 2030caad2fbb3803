/** The search for a failure of broken passes. */
import type { Executor } from '@baton/executor';
import { GROUPS } from '../fuzz/enrolment.ts';
import { reduceFailure, writeFailure } from '../fuzz/failure.ts';
import { NORMAL_SEED } from '../fuzz/normal-run.ts';
import { runGroup } from '../fuzz/run.ts';
import { emptyTally } from '../fuzz/tally.ts';
import type { Mutant } from './mutant.ts';

export interface Catch {
  readonly pass: string;
  readonly property: string;
  readonly detail: string;
  readonly programs: number;
  /** Operator calls of the reduced program. */
  readonly calls: number;
  readonly text: string;
}

export const MAX_REDUCED_CALLS = 6;

/** The first failure among a group's programs in the normal run, reduced. */
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
