/** The properties of a pass on a program. */

import { isLeft } from '@baton/base';
import {
  type Baseline,
  checkPass,
  describeDifference,
  type Equivalence,
  makeBaseline,
} from '@baton/equivalence';
import type { Executor } from '@baton/executor';
import { type IRModule, postOrderExprs, structuralEqual, wellFormed } from '@baton/ir';
import { type Pass, type PassReport, runPass } from '@baton/pass-manager';

export type Property =
  | 'succeeds'
  | 'well-formed'
  | 'equivalent'
  | 'unchanged is the same object'
  | 'deterministic'
  | 'idempotent';

export interface Violation {
  readonly property: Property;
  readonly detail: string;
}

export interface Outcome {
  readonly violation: Violation | undefined;
  readonly changed: boolean;
  readonly equivalence: Equivalence | undefined;
  readonly report: PassReport | undefined;
  readonly module: IRModule | undefined;
}

/** Checks besides equivalence and the pass's own promises. */
export interface CheckOptions {
  /** Runs the pass twice. */
  readonly checkDeterminism: boolean;
}

export function baselineOf(
  m: IRModule,
  seed: number,
  executor: Executor | undefined,
): Baseline | undefined {
  const made = makeBaseline(m, { seed, ...(executor && { executor }) });
  return isLeft(made) ? undefined : made.right;
}

/** Runs a pass on a program and checks every property, and returns the first violation. */
export function checkProperties(pass: Pass, base: Baseline, options: CheckOptions): Outcome {
  const checked = checkPass(pass, base.module, { baseline: base });
  if (isLeft(checked)) {
    const [first] = checked.left;
    const violation = { property: 'succeeds' as const, detail: `${first.code}: ${first.message}` };
    return {
      violation,
      changed: false,
      equivalence: undefined,
      report: undefined,
      module: undefined,
    };
  }
  const { changed, module, report, equivalence } = checked.right;
  return {
    violation: violationOf(pass, base.module, module, equivalence, options),
    changed,
    equivalence,
    report,
    module,
  };
}

function violationOf(
  pass: Pass,
  before: IRModule,
  after: IRModule,
  equivalence: Equivalence,
  { checkDeterminism }: CheckOptions,
): Violation | undefined {
  const [problem] = wellFormed(after);
  if (problem !== undefined) {
    return { property: 'well-formed', detail: `${problem.code}: ${problem.message}` };
  }
  if (equivalence.verdict === 'different') {
    return { property: 'equivalent', detail: describeDifference(equivalence) };
  }
  // A pipeline may undo its own changes.
  const isNew = after !== before && !pass.isPipeline;
  if (isNew && structuralEqual(before, after) && sameNodes(before, after)) {
    return { property: 'unchanged is the same object', detail: 'another object, the same program' };
  }
  if (checkDeterminism) {
    const again = runPass(pass, { level: 9 })(before);
    if (isLeft(again) || !structuralEqual(again.right.module, after)) {
      return { property: 'deterministic', detail: 'a second run gave another program' };
    }
  }
  if (pass.isIdempotent && after !== before) {
    const again = runPass(pass, { level: 9 })(after);
    if (isLeft(again) || again.right.module !== after) {
      return { property: 'idempotent', detail: 'a second pass over its result changed it' };
    }
  }
  return undefined;
}

/** Equal programs with other sharing are a change. */
const sameNodes = (a: IRModule, b: IRModule): boolean => nodeCount(a) === nodeCount(b);

const nodeCount = (m: IRModule): number => postOrderExprs([...m.functions.values()]).length;
