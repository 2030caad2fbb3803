/** Special values: NaN, infinities, zeros of both signs, subnormals, extremes of integers. */
import type { IRModule } from '@baton/ir';
import type { FastMath } from '@baton/pass-manager';
import {
  absoluteError,
  type DType,
  dtypeInfo,
  rootMeanSquare,
  spacingOf,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { type Baseline, finiteShare } from '../baseline.ts';
import { flipZeros, noiseNearZero, resultTensors, type Watch } from '../observe.ts';
import type { Run } from '../run.ts';
import { tensorsOf } from '../values.ts';
import { type Applied, notApplied, type RegimeVerdict } from '../verdicts.ts';
import { type Compared, compareResults, type Rule } from './compare.ts';
import { type Deviation, deviations, largerOf, NO_DEVIATION, type Turn } from './deviation.ts';
import { runAgain, verdictOf } from './verdict.ts';

const ROUNDING: ReadonlyArray<FastMath> = ['reassoc', 'contract', 'arcp', 'afn'];
const TOLERANCE: Readonly<Record<string, number>> = {
  float16: 2 ** -6,
  bfloat16: 2 ** -3,
  float32: 2 ** -18,
  float64: 2 ** -46,
};

/** The smallest normal number: below it, a difference of a few units does not count. */
const smallestNormal = (dtype: DType): number => spacingOf(dtype)?.leastNormal ?? 0;

/** The noise of every operator if a difference may be the program's own fault. */
const NOISE = 2 ** -20;

const tinyOf = (dtype: DType): number => 8 * smallestNormal(dtype);

/**
 * Compares special values bitwise, except for the declared needs of the pass. Values that it needs
 * to be absent (NaN, infinities) are not used as inputs. Results are not comparable if such values
 * arise in intermediates, or if they depend on rounding or on the sign of a zero.
 */
export function compareSpecial(
  base: Baseline,
  after: IRModule,
  needs: ReadonlyArray<FastMath>,
): RegimeVerdict {
  if (needs.includes('narrow')) return notApplied('a narrower type has other special values');
  const leftOut = { nan: needs.includes('nnan'), infinity: needs.includes('ninf') };
  const runs = base.special(leftOut);
  if ('_tag' in runs) return runs;
  const verdicts: Applied[] = [];
  for (const expected of runs) {
    const found = runAgain(base, after, expected);
    if ('_tag' in found) return found;
    const compared = compareResults(expected.results, found.results, (_output, t) =>
      specialRule(t, needs),
    );
    const verdict = verdictOf(expected, compared, finiteShare(expected.results));
    if (!verdict.equal && !isExcused(base, after, expected, found, needs)) return verdict;
    verdicts.push(verdict);
  }
  return {
    _tag: 'Applied',
    equal: true,
    largestError: Math.max(...verdicts.map((v) => v.largestError)),
    finiteShare: Math.min(...verdicts.map((v) => v.finiteShare)),
  };
}

function specialRule(expected: Tensor, needs: ReadonlyArray<FastMath>): Rule {
  const rounds = ROUNDING.some((word) => needs.includes(word));
  const scale = rootMeanSquare(toNumbers(expected));
  const tiny = smallestNormal(expected.dtype);
  const tolerance = TOLERANCE[expected.dtype] ?? 0;
  return {
    error: (b, a) => {
      const error = absoluteError(b, a);
      return error === 0 ? 0 : error / (Math.abs(b) + scale || 1);
    },
    allows: (_error, b, a) => {
      if (Object.is(a, b)) return true;
      if (a === b) return needs.includes('nsz');
      if (Number.isNaN(b)) return needs.includes('nnan');
      if (!Number.isFinite(b)) return needs.includes('ninf');
      if (!rounds || !Number.isFinite(a)) return false;
      return Math.abs(a - b) <= tolerance * Math.max(Math.abs(b), scale) + 8 * tiny;
    },
  };
}

/**
 * Whether a value arises that the needs of the pass assume to be absent: among the inputs, or in
 * the first program. One that only the second program computes is its own fault, except under
 * `range` in floats of at least 32 bits.
 */
function meetsForbidden(
  base: Baseline,
  after: IRModule,
  { inputs }: Run,
  needs: ReadonlyArray<FastMath>,
): boolean {
  const [nan, infinity] = [needs.includes('nnan'), needs.includes('ninf')];
  if (!nan && !infinity) return false;
  const isForbidden = (value: number): boolean =>
    (nan && Number.isNaN(value)) || (infinity && Math.abs(value) === Number.POSITIVE_INFINITY);
  const hasForbidden = (t: Tensor): boolean => {
    const numbers = toNumbers(t);
    for (let i = 0; i < numbers.length; i++) if (isForbidden(numbers[i] as number)) return true;
    return false;
  };
  const arises = (m: IRModule, counts: (t: Tensor) => boolean): boolean => {
    let does = false;
    const watch: Watch = (_name, _attrs, result) => {
      does ||= resultTensors(result).some((t) => counts(t) && hasForbidden(t));
      return result;
    };
    base.run(m, inputs, watch);
    return does;
  };
  return (
    inputs.some((input) => tensorsOf(input)?.some(hasForbidden)) ||
    arises(base.module, () => true) ||
    (needs.includes('range') && arises(after, ({ dtype }) => dtypeInfo(dtype).bytes >= 4))
  );
}

/** Whether the needs of the pass explain the difference by intermediate values. */
function isExcused(
  base: Baseline,
  after: IRModule,
  expected: Run,
  found: Run,
  needs: ReadonlyArray<FastMath>,
): boolean {
  const random = base.random('special noise');
  const noisy = ({ factor, isCommon }: Turn): Watch =>
    noiseNearZero(factor * NOISE, tinyOf, random, isCommon);
  const explains = (byNoise: Deviation, byZeros: Deviation): boolean =>
    compareUnder(expected, found, needs, byNoise, byZeros).difference === undefined;
  // The likely reason first: each takes several runs.
  const rounds = ROUNDING.some((word) => needs.includes(word));
  let byNoise: Deviation = NO_DEVIATION;
  for (byNoise of rounds ? deviations(base, base.module, expected, noisy) : []) {
    if (explains(byNoise, NO_DEVIATION)) return true;
  }
  if (meetsForbidden(base, after, expected, needs)) return true;
  const flipped = (): Watch => flipZeros(random);
  let byZeros: Deviation = NO_DEVIATION;
  for (byZeros of needs.includes('nsz') ? deviations(base, base.module, expected, flipped) : []) {
    if (explains(byNoise, byZeros)) return true;
  }
  // Rounding at more points of the second program counts, too.
  for (const other of rounds ? deviations(base, after, found, noisy) : []) {
    if (explains(largerOf(byNoise, other), byZeros)) return true;
  }
  return false;
}

const compareUnder = (
  expected: Run,
  found: Run,
  needs: ReadonlyArray<FastMath>,
  byNoise: Deviation,
  byZeros: Deviation,
): Compared =>
  compareResults(
    expected.results,
    found.results,
    (output, t) => {
      const rule = specialRule(t, needs);
      return {
        ...rule,
        allows: (error, b, a, element) => {
          if (rule.allows(error, b, a, element) || byZeros.size(output, element) > 0) return true;
          const noise = byNoise.size(output, element);
          // If nothing varies, the sign of a zero is a difference, too.
          return noise > 0 && absoluteError(b, a) <= 16 * noise;
        },
      };
    },
    (...of) => byZeros.reaches(...of) || byNoise.reaches(...of),
  );
