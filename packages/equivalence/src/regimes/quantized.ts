/** A second program that rounds quantized integers at other points. */
import type { Random } from '@baton/base';
import type { IRModule } from '@baton/ir';
import type { FastMath } from '@baton/pass-manager';
import {
  absoluteError,
  dtypeInfo,
  rootMeanSquare,
  spacingOf,
  type Tensor,
  tensor,
  toNumbers,
} from '@baton/tensor';
import { type Baseline, finiteShare, mapInputs } from '../baseline.ts';
import { changed, makeBoundsWatch, noiseOfUnits } from '../observe.ts';
import type { Run } from '../run.ts';
import { notApplied, type RegimeVerdict } from '../verdicts.ts';
import { type Compared, compareResults, type Rule, relativeError } from './compare.ts';
import {
  type Deviation,
  type Deviations,
  deviations,
  largerOf,
  type Measuring,
  NO_DEVIATION,
} from './deviation.ts';
import { comparedUnder, runAgain, verdictOf } from './verdict.ts';

/** Floats are up to this much larger than elsewhere, so that quantization leaves many steps. */
const LARGER = 32;

/** The second program's error may be this multiple of the largest move of its results. */
const MOVES = 2;

/** The multiple if floats are rounded to scales: constants round one way, moves go both. */
const MOVES_OF_SCALES = 4;

/**
 * Units up and down often cancel in a sum of two, which rounding does not: so there are more runs
 * than elsewhere, and a larger share of the tensor's move for every element.
 */
const MEASURING: Measuring = { runs: 8, share: 0.25 };

/** The spacing of float32 around 1, with headroom for a few operators. */
const SPACING = 4 * spacingOf('float32').epsilon;

/**
 * Compares with a program that computes on integers, on integers of all magnitudes. Each operator
 * of either program may have an error of one unit if its result is integers, or multiples of a
 * scale: the allowed error is twice the larger effect of such errors, and one unit of a result in
 * integers. If floats may be rounded to scales, numbers that leave their bounds are not judged.
 */
export function compareQuantized(
  base: Baseline,
  after: IRModule,
  small: Run,
  needs: ReadonlyArray<FastMath>,
): RegimeVerdict {
  const wide = base.run(base.module, mapInputs(small.inputs, widely(base.random('quantized'))));
  const isUsable = typeof wide !== 'string' && finiteShare(wide.results) > 0;
  const verdict = isUsable ? compareOn(base, after, wide, needs) : undefined;
  return verdict === undefined || verdict._tag === 'NotApplied'
    ? compareOn(base, after, small, needs)
    : verdict;
}

function compareOn(
  base: Baseline,
  after: IRModule,
  before: Run,
  needs: ReadonlyArray<FastMath>,
): RegimeVerdict {
  const beyond = needs.includes('scaled') ? makeBoundsWatch() : undefined;
  const found = runAgain(base, after, before, beyond?.watch);
  if ('_tag' in found) return found;
  if (beyond !== undefined && beyond.count() > 0) {
    return notApplied('a number left the bounds of its scale');
  }
  const distance = distancesOf(before, found);
  const moves = needs.includes('scaled') ? MOVES_OF_SCALES : MOVES;
  const compare = (moved: Deviation): Compared =>
    compareResults(
      before.results,
      found.results,
      (output, t) => floatRule(t, (element) => moves * moved.size(output, element)),
      (output, element) =>
        distance(output, element) <=
        moves * moved.size(output, element) + (before.results[output]?.dtype === 'bool' ? 0 : 1),
    );
  const noise = function* (): Deviations {
    const random = base.random('quantized noise');
    const moved = (program: IRModule, own: Run): Deviations =>
      deviations(base, program, own, () => noiseOfUnits(random), MEASURING);
    let own: Deviation = NO_DEVIATION;
    for (own of moved(base.module, before)) yield own;
    for (const other of moved(after, found)) yield largerOf(own, other);
  };
  return verdictOf(before, comparedUnder(compare, noise), finiteShare(before.results));
}

function floatRule(t: Tensor, allowed: (element: number) => number): Rule {
  const scale = rootMeanSquare(toNumbers(t));
  return {
    error: relativeError(scale),
    allows: (error, b, a, element) =>
      error === 0 || absoluteError(b, a) <= allowed(element) + SPACING * scale,
  };
}

function distancesOf(before: Run, found: Run): Deviation['size'] {
  const [wanted, answers] = [before, found].map(({ results }) => results.map((t) => toNumbers(t)));
  return (output, element) =>
    Math.abs(Number(wanted?.[output]?.[element]) - Number(answers?.[output]?.[element]));
}

/** Fills a tensor with floats and bytes of all magnitudes: some results leave their ranges. */
const widely =
  (random: Random) =>
  (t: Tensor): Tensor => {
    const magnitude = (most: number): number => most ** random();
    if (t.dtype !== 'int8' && t.dtype !== 'uint8') return changed(t, (x) => x * magnitude(LARGER));
    const { min, max } = dtypeInfo(t.dtype);
    const sign = (): number => (Number(min) < 0 && random() < 0.5 ? -1 : 1);
    const numbers = Array.from(toNumbers(t), () => sign() * Math.floor(magnitude(Number(max))));
    return tensor(numbers, t.shape, t.dtype);
  };
