/** The shadow: both programs in float64, in which a missing epsilon is larger than any rounding. */
import type { Result } from '@baton/base';
import { isLeft } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { absoluteError, rootMeanSquare, type Tensor, toNumbers } from '@baton/tensor';
import type { Baseline } from '../baseline.ts';
import { notApplied, type RegimeVerdict } from '../verdicts.ts';
import { type Rule, relativeError } from './compare.ts';
import { deviationsUnderNoise } from './deviation.ts';
import { type Moved, runAgain, verdictUnderNoise } from './verdict.ts';

/** The allowed |a − b|, relative to |b| + rms b. */
export const SHADOW_TOLERANCE = 1e-9;

const NOISE = 2 ** -50;

/** Results may differ by this multiple of the effect of noise. */
const NOISE_FACTOR = 16;

/**
 * Compares in float64. If results differ by more than the tolerance, the first program runs again
 * with noise: a difference that its own rounding can cause does not count.
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
  const found = runAgain(base, wideAfter.right, expected);
  if ('_tag' in found) return found;
  const noise = () =>
    deviationsUnderNoise(base, wide.right, expected, NOISE, base.random('shadow noise'));
  return verdictUnderNoise(expected, found, runs.finiteShare, shadowRule, noise);
}

function shadowRule(_output: number, expected: Tensor, moved: Moved): Rule {
  return {
    error: relativeError(rootMeanSquare(toNumbers(expected))),
    allows: (error, b, a, element) =>
      error <= SHADOW_TOLERANCE || absoluteError(b, a) <= NOISE_FACTOR * moved(element),
  };
}
