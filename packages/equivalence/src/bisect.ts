/** Finds the faulty pass of a pipeline by bisection. */
import {
  aFunction,
  aRecord,
  checkOptions,
  fail,
  failure,
  isLeft,
  type OptionTypes,
  type Result,
  right,
  stoppedByHost,
} from '@baton/base';
import type { IRModule } from '@baton/ir';
import type { Pass, PassContextParts } from '@baton/pass-manager';
import { makeBaseline } from './baseline.ts';
import { nothingToBisect } from './diagnostics.ts';
import { firstBad, makeDifference, runSteps, type Step } from './steps.ts';
import { EQUIVALENCE_TYPES, type EquivalenceOptions } from './verdicts.ts';

export interface BisectOptions extends EquivalenceOptions {
  readonly context?: PassContextParts;
  /**
   * Whether a result is bad, given the module after the passes that ran. Default: if the pipeline
   * fails, or its result is not equivalent to the module.
   */
  readonly isBad?: (result: Result<IRModule>) => boolean;
}

const BISECT_TYPES: OptionTypes<BisectOptions> = {
  ...EQUIVALENCE_TYPES,
  context: aRecord,
  isBad: aFunction,
};

export interface Bisection {
  readonly pass: string;
  /** How many of the pipeline's listed passes run before it. */
  readonly index: number;
  readonly before: IRModule;
  readonly after: Result<IRModule>;
  readonly judged: number;
}

/**
 * The first pass of a pipeline with a bad result. The pipeline runs once, and once more in float64;
 * the intermediate modules are kept and judged.
 *
 * **Errors** `OPTION_*`; `EQUIV_NO_FAULT` if the entire pipeline is good on this module; `LIMIT_TIME`
 * when the host ends it; errors of {@link makeBaseline}.
 *
 * **Complexity** O(log n) comparisons for a pipeline of n passes, after the first in one regime.
 */
export function bisect(
  pipeline: Pass,
  m: IRModule,
  options: BisectOptions = {},
): Result<Bisection> {
  const wrong = failure(checkOptions('bisect', options, BISECT_TYPES, bisect));
  if (wrong !== undefined) return wrong;
  const base = makeBaseline(m, options);
  if (isLeft(base)) return base;
  const { context = {}, isBad } = options;
  const steps = runSteps(pipeline, base.right.module, context);
  let wideSteps: ReadonlyArray<Step> | undefined;
  const inFloat64 = (): ReadonlyArray<Step> | undefined => {
    const wide = base.right.wide();
    if (!isLeft(wide)) wideSteps ??= runSteps(pipeline, wide.right, context);
    return wideSteps;
  };
  const isDifferent = makeDifference(base.right, inFloat64, {
    ...options,
    needs: options.needs ?? pipeline.needs,
  });
  let judged = 0;
  const index = firstBad(steps, (after, at) => {
    judged++;
    return isBad === undefined ? isDifferent(after, at) : isBad(after);
  });
  // A comparison that the host has ended says nothing about the pass.
  if (options.shouldStop?.() === true) return fail(stoppedByHost('the bisection'));
  const step = index === undefined ? undefined : steps[index];
  if (index === undefined || step === undefined) return fail(nothingToBisect(pipeline.name));
  return right({ pass: step.pass, index, before: step.before, after: step.after, judged });
}
