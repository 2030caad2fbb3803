/** The search for a failure of passes that are broken. */
import { GROUPS, passesOf } from './enrolment.ts';
import { reduceFailure, writeFailure } from './failure.ts';
import { runGroup } from './run.ts';
import { emptyTally } from './tally.ts';

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

/** The first failure among the programs that the normal run has of a group, reduced. */
export function hunt(
  groupName: string,
  seed: number,
  passes: ReadonlyArray<string> | undefined,
): Catch | undefined {
  const group = GROUPS.find((g) => g.name === groupName);
  if (group === undefined) return undefined;
  const enrolled = passesOf(group).filter((e) => passes?.includes(e.name) ?? true);
  const { failures, programs } = runGroup(group, enrolled, emptyTally, {
    seed,
    from: 0,
    count: group.programs,
    withSequences: false,
    stopAtFailure: true,
  });
  const [first] = failures;
  if (first === undefined) return undefined;
  const { failure, reduction } = reduceFailure(first);
  const { property, detail } = failure.violation;
  const text = writeFailure(failure);
  return { pass: failure.pass, property, detail, programs, calls: reduction.calls, text };
}
