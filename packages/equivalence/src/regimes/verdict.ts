/** Verdicts from comparisons. */
import type { IRModule } from '@baton/ir';
import { cast, isFloat, type Tensor } from '@baton/tensor';
import type { Baseline } from '../baseline.ts';
import type { Watch } from '../observe.ts';
import type { Run } from '../run.ts';
import type { Applied } from '../verdicts.ts';
import { type Compared, compareResults, type Rule } from './compare.ts';
import { type Deviation, type Deviations, NO_DEVIATION } from './deviation.ts';

export function verdictOf(expected: Run, compared: Compared, finiteShare: number): Applied {
  const { largestError, difference } = compared;
  const applied = { _tag: 'Applied' as const, largestError, finiteShare };
  return difference === undefined
    ? { ...applied, equal: true }
    : { ...applied, equal: false, counterexample: { inputs: expected.inputs, ...difference } };
}

/**
 * Runs the second program on the inputs of the first; a verdict if it fails, or evaluates other
 * stateful operators, or in another order. `watch` changes no result.
 */
export function runAgain(base: Baseline, m: IRModule, expected: Run, watch?: Watch): Run | Applied {
  const seen = watch && base.runSecond(m, expected.inputs, watch);
  const found = seen === undefined || base.isReordered ? base.runSecond(m, expected.inputs) : seen;
  if (typeof found === 'string') return whollyDifferent(expected, 'a value', found);
  const [wanted, answer] = [expected.effects, found.effects].map(
    (effects) => `effects: ${effects?.join('; ') || 'none'}`,
  ) as [string, string];
  const areSeen = expected.effects !== undefined && found.effects !== undefined;
  if (areSeen && wanted !== answer) {
    return whollyDifferent(expected, wanted, answer);
  }
  return { ...found, results: found.results.map((t, i) => inTypeOf(t, expected.results[i])) };
}

/** A float in the dtype of another, which may be wider: the signatures have been compared. */
const inTypeOf = (t: Tensor, as: Tensor | undefined): Tensor =>
  as !== undefined && isFloat(t.dtype) && isFloat(as.dtype) ? cast(t, as.dtype) : t;

export type Moved = (element: number) => number;

/** The first comparison without a difference, as the deviation grows from none; else the last. */
export function comparedUnder(
  compare: (moved: Deviation) => Compared,
  noise: () => Iterable<Deviation>,
): Compared {
  let compared = compare(NO_DEVIATION);
  if (compared.difference === undefined) return compared;
  for (const moved of noise()) {
    compared = compare(moved);
    if (compared.difference === undefined) break;
  }
  return compared;
}

/** A comparison that computes noise only as far as results differ without it. */
export function verdictUnderNoise(
  expected: Run,
  found: Run,
  finiteShare: number,
  ruleFor: (output: number, expected: Tensor, moved: Moved) => Rule,
  noise: () => Deviations,
): Applied {
  const compare = (moved: Deviation): Compared =>
    compareResults(
      expected.results,
      found.results,
      (output, t) => ruleFor(output, t, (element) => moved.size(output, element)),
      moved.reaches,
    );
  return verdictOf(expected, comparedUnder(compare, noise), finiteShare);
}

/** The verdict if entire results differ, not single elements. */
const whollyDifferent = (run: Run, expected: string, found: string): Applied => ({
  _tag: 'Applied',
  equal: false,
  largestError: Number.POSITIVE_INFINITY,
  finiteShare: 1,
  counterexample: { inputs: run.inputs, output: 0, element: 0, expected, found },
});
