/** The shadow: both programs in float64, where a missing epsilon is larger than any rounding. */
import type { Result } from '@baton/base';
import { isLeft } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { absoluteError, rootMeanSquare, type Tensor, toNumbers } from '@baton/tensor';
import { type Baseline, run } from '../baseline.ts';
import { notApplied, type RegimeVerdict } from '../verdicts.ts';
import { compareResults, type Rule } from './compare.ts';
import { type Deviation, deviationUnderNoise } from './deviation.ts';
import { differentEffects, evaluationFailed, verdictOf } from './verdict.ts';

/** The allowed |a − b|, relative to |b| + rms b. */
export const SHADOW_TOLERANCE = 1e-9;

/** The noise of every operator when a difference may be the program's own fault. */
const NOISE = 2 ** -50;

/** Results may differ by this many times the effect of noise. */
const NOISE_FACTOR = 16;

/**
 * Compares in float64. If results differ by more than the tolerance, the first program runs again
 * with noise: a difference that its own rounding can make does not count.
 */
export function compareShadow(
  base: Baseline,
  wideAfter: Result<IRModule> | undefined,
): RegimeVerdict {
  const wide = base.wide();
  if (isLeft(wide)) return notApplied(`no float64 version: ${wide.left[0].message}`);
  if (wideAfter === undefined) {
    return notApplied('the second program has constants that were rounded to a narrower type');
  }
  if (isLeft(wideAfter)) return notApplied(`no float64 version: ${wideAfter.left[0].message}`);
  const runs = base.continuous();
  if ('_tag' in runs) return runs;
  const expected = runs.wide;
  if (expected === undefined) return notApplied('the float64 version could not be run');
  const found = run(base, wideAfter.right, expected.inputs);
  if (typeof found === 'string') return evaluationFailed(expected, found);
  const effects = differentEffects(expected, found);
  if (effects !== undefined) return effects;
  const compare = (moved: Deviation | undefined) =>
    compareResults(
      expected.results,
      found.results,
      (output, t) => shadowRule(t, (element) => (moved === undefined ? 0 : moved(output, element))),
      (output, element) => moved !== undefined && moved(output, element) > 0,
    );
  const strict = compare(undefined);
  if (strict.difference === undefined) return verdictOf(expected, strict, runs.finiteShare);
  const random = base.random('shadow noise');
  const moved = deviationUnderNoise(base, wide.right, expected, NOISE, random);
  return verdictOf(expected, compare(moved), runs.finiteShare);
}

function shadowRule(expected: Tensor, moved: (element: number) => number): Rule {
  const scale = rootMeanSquare(toNumbers(expected));
  return {
    error: (b, a) => {
      const error = Number.isFinite(b) ? absoluteError(b, a) : 0;
      return error === 0 ? 0 : error / (Math.abs(b) + scale);
    },
    allows: (error, b, a, element) =>
      error <= SHADOW_TOLERANCE || absoluteError(b, a) <= NOISE_FACTOR * moved(element),
  };
}
