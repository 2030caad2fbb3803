/** The native regime: rounding may differ from the first program's, but not be much worse. */
import type { Result } from '@baton/base';
import { isLeft } from '@baton/base';
import type { IRModule } from '@baton/ir';
import type { FastMath } from '@baton/pass-manager';
import {
  absoluteError,
  type DType,
  dtypeInfo,
  isFloat,
  rootMeanSquare,
  spacingOf,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import type { Baseline } from '../baseline.ts';
import type { Run } from '../run.ts';
import { notApplied, type RegimeVerdict } from '../verdicts.ts';
import { type Rule, relativeError } from './compare.ts';
import {
  type Deviation,
  type Deviations,
  deviationsUnder,
  deviationsUnderMoves,
  deviationsUnderNoise,
  largerOf,
  NO_DEVIATION,
} from './deviation.ts';
import { makeNarrowWatch, makeRounding, UNKNOWN_TYPE } from './narrow.ts';
import { compareQuantized } from './quantized.ts';
import { type Moved, runAgain, verdictUnderNoise } from './verdict.ts';

/** The second program's error may be this multiple of the first's. */
export const ERROR_FACTOR = 8;

/** The second program's error may also be this many units in the last place. */
export const ULPS = 4;

/**
 * Compares in the program's own dtypes, by the distance from the float64 run. The first program's
 * error on these inputs may be small by chance: noise of the size of the narrowest dtype's rounding
 * estimates its normal error. A pass that needs `reassoc` may round more often than an operator
 * that it expands: then the noise of its result counts, too. For a pass that needs `narrow`, the
 * noise has the size of the narrowest dtype's rounding in the second program, and moves inputs,
 * too; numbers that leave the range of that dtype are not judged. A pass that needs `quantized` is
 * compared on integers of all magnitudes; one that needs both may do what either allows. An
 * executor that adds in another order may have the error that noise on the terms of a sum causes,
 * inputs included.
 */
export function compareNative(
  base: Baseline,
  after: IRModule,
  wideAfter: Result<IRModule> | undefined,
  needs: ReadonlyArray<FastMath>,
): RegimeVerdict {
  const runs = base.continuous();
  if ('_tag' in runs) return runs;
  const { native, finiteShare } = runs;
  if (needs.includes('quantized') || needs.includes('scaled')) {
    const verdict = compareQuantized(base, after, native, needs);
    const isEqual = verdict._tag === 'NotApplied' || verdict.equal;
    if (isEqual || !needs.includes('narrow')) return verdict;
  }
  const narrow = needs.includes('narrow') ? makeNarrowWatch(base.module, after) : undefined;
  const found = runAgain(base, after, native, narrow?.watch);
  if ('_tag' in found) return found;
  if (narrow?.hasOverflowed()) return notApplied('a number left the range of a narrower type');
  const spacing = narrow?.narrowest();
  if (spacing === 'unknown') return notApplied(UNKNOWN_TYPE);
  const reference = runs.wide ?? native;
  const ruleFor = (output: number, t: Tensor, moved: Moved): Rule =>
    nativeRule(t, exactOf(reference, output, t), moved, {
      epsilon: spacing?.epsilon,
      // Another order or another executor may overflow in intermediates even if this one does not.
      mayLeaveRange: needs.length > 0 || base.isReordered,
    });
  const noise = function* (): Deviations {
    const wide = base.wide();
    const m = runs.wide === undefined || isLeft(wide) ? base.module : wide.right;
    const random = base.random('native noise');
    const moved = function* (program: IRModule): Deviations {
      // The second program may compute something else: then its own results are the reference.
      const own = program === m ? reference : base.run(program, reference.inputs);
      if (typeof own === 'string') return;
      const epsilon = epsilonOf(native);
      if (spacing !== undefined) {
        yield* deviationsUnder(base, program, own, makeRounding(spacing, random));
      } else if (base.isReordered) {
        yield* deviationsUnderMoves(base, program, own, epsilon, random);
      } else yield* deviationsUnderNoise(base, program, own, epsilon, random);
    };
    let own: Deviation = NO_DEVIATION;
    for (own of moved(m)) yield own;
    const roundsElsewhere = needs.includes('reassoc') || spacing !== undefined;
    if (!roundsElsewhere || wideAfter === undefined || isLeft(wideAfter)) return;
    for (const other of moved(wideAfter.right)) yield largerOf(own, other);
  };
  return verdictUnderNoise(native, found, finiteShare, ruleFor, noise);
}

const spacing = (dtype: DType): number => spacingOf(dtype)?.epsilon ?? 0;

function epsilonOf({ results }: Run): number {
  const found = results.map((t) => spacing(t.dtype));
  return Math.max(spacing('float32'), ...found);
}

/** The reference run's tensor, if the sizes match. */
function exactOf(reference: Run, output: number, native: Tensor): Tensor {
  const exact = reference.results[output];
  return exact !== undefined && isFloat(exact.dtype) && sameSize(exact, native) ? exact : native;
}

const sameSize = (a: Tensor, b: Tensor): boolean => toNumbers(a).length === toNumbers(b).length;

function nativeRule(
  native: Tensor,
  exact: Tensor,
  moved: Moved,
  { epsilon = spacing(native.dtype), mayLeaveRange }: NativeOptions,
): Rule {
  const exactValues = toNumbers(exact);
  const scale = rootMeanSquare(exactValues);
  const nativeValues = toNumbers(native);
  let own = 0;
  for (let i = 0; i < exactValues.length; i++) {
    const error = absoluteError(exactValues[i] as number, nativeValues[i] as number);
    if (Number.isFinite(error)) own = Math.max(own, error);
  }
  const greatest = Number(dtypeInfo(native.dtype).max);
  // Beyond the greatest number, rounding yields infinity.
  const within = (x: number): number => Math.min(Math.max(x, -greatest), greatest);
  return {
    error: relativeError(scale),
    allows: (error, b, a, element) => {
      const exactValue = exactValues[element] as number;
      const hasNumber = Number.isFinite(b);
      if (!Number.isFinite(exactValue)) return hasNumber || mayLeaveRange || !Number.isFinite(a);
      if (error === 0 && (hasNumber || Object.is(a, b))) return true;
      if (!hasNumber && mayLeaveRange && !Number.isFinite(a)) return true;
      const size = hasNumber ? Math.abs(b) : Math.abs(exactValue);
      const allowed =
        ERROR_FACTOR * (own + moved(element)) + ULPS * epsilon * Math.max(size, scale);
      const isNear = absoluteError(exactValue, within(a)) <= allowed;
      // If the first program overflows, the right value differs from its result.
      const overflows = Math.abs(exactValue) + allowed >= greatest;
      return isNear && (hasNumber ? Number.isFinite(a) || overflows : mayLeaveRange || overflows);
    },
  };
}

interface NativeOptions {
  /** The spacing of numbers around 1 to assume. */
  readonly epsilon?: number | undefined;
  /** Whether the second program may be finite, or NaN, if the first overflows. */
  readonly mayLeaveRange: boolean;
}
