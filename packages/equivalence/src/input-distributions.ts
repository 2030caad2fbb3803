/** Values for parameters: exact ones on a grid, continuous ones, and special ones. */
import type { Random } from '@baton/base';
import {
  bigsToStorage,
  type DType,
  dtypeInfo,
  fromNumbers,
  isBig,
  isFloat,
  shapeSize,
  spacingOf,
  tensor,
} from '@baton/tensor';
import type { Fill } from './inputs.ts';

type Draw = (random: Random) => number;

const filling =
  (float: Draw, integer: Draw, random: Random): Fill =>
  (dtype, shape) => {
    const draw: Draw = isFloat(dtype)
      ? float
      : dtype === 'bool'
        ? (r) => (r() < 0.5 ? 0 : 1)
        : (r) => Math.max(integer(r), Number(dtypeInfo(dtype).min));
    const values = Array.from({ length: shapeSize(shape) }, () => draw(random));
    return fromNumbers(values, shape, dtype);
  };

const between =
  (low: number, high: number): Draw =>
  (random) =>
    low + (high - low) * random();

const whole =
  (low: number, high: number): Draw =>
  (random) =>
    low + Math.floor(random() * (high - low + 1));

const multiples =
  (unit: number, most: number): Draw =>
  (random) =>
    // Adding 0 turns −0 into 0.
    (Math.floor(random() * (2 * most + 1)) - most) * unit + 0;

const powers =
  (least: number, most: number, sign: Draw): Draw =>
  (random) =>
    sign(random) * 2 ** (least + Math.floor(random() * (most - least + 1)));

const positive: Draw = () => 1;
const anySign: Draw = (random) => (random() < 0.5 ? -1 : 1);

const pick = <A>(list: readonly [A, ...ReadonlyArray<A>], random: Random): A =>
  list[Math.floor(random() * list.length)] ?? list[0];

/** First typical integers, then valid indices of nearly any axis. */
const integersOf = (attempt: number): Draw =>
  attempt % 3 === 0 ? whole(0, 3) : attempt % 3 === 1 ? whole(-8, 8) : whole(0, 1);

/** The number of attempts on the grid, each coarser. */
export const GRID_ATTEMPTS = 6;

/** Multiples of powers of two: eighths up to 1, integers, scales of either sign; then coarser. */
export function gridFill(attempt: number, random: Random): Fill {
  const floats: Draw =
    attempt < 3
      ? pick(
          [
            multiples(1 / 8, 8),
            multiples(1 / 8, 8),
            multiples(1, 8),
            powers(-2, 2, anySign),
            powers(-2, 2, positive),
          ],
          random,
        )
      : pick([multiples(1 / 2, 2), multiples(1, 1), powers(-1, 1, positive)], random);
  return filling(floats, integersOf(attempt), random);
}

/** The number of attempts with continuous inputs; the one with the most finite results wins. */
export const CONTINUOUS_ATTEMPTS = 12;

/** First values of both signs, then positive ones, then a mixture of ranges. */
export function continuousFill(attempt: number, random: Random): Fill {
  const ranges: readonly [Draw, ...Draw[]] = [
    between(-1, 1),
    between(0.5, 1),
    between(1, 2),
    between(-2, 2),
    between(0.05, 0.3),
  ];
  const floats = attempt === 0 ? ranges[0] : attempt === 2 ? between(0.5, 1) : pick(ranges, random);
  return filling(floats, integersOf(attempt), random);
}

export const SPECIAL_ATTEMPTS = 4;

export interface LeftOut {
  readonly nan: boolean;
  readonly infinity: boolean;
}

/** Special values among ordinary ones; from the second attempt on only in floats. */
export function specialFill(attempt: number, leftOut: LeftOut, random: Random): Fill {
  const share = attempt % 2 === 0 ? 0.6 : 0.2;
  const ordinary = between(-2, 2);
  return (dtype, shape) => {
    const size = shapeSize(shape);
    if (isFloat(dtype)) {
      // The kinds alternate, so that even a small tensor has several.
      const pool = specialFloats(dtype, leftOut);
      let next = Math.floor(random() * pool.length);
      const special = (): number => pool[next++ % pool.length] ?? 0;
      const draw = (): number => (random() < share ? special() : ordinary(random));
      return fromNumbers(Array.from({ length: size }, draw), shape, dtype);
    }
    if (dtype === 'bool' || attempt > 0)
      return filling(ordinary, integersOf(attempt), random)(dtype, shape);
    const { min, max } = dtypeInfo(dtype);
    const pool = [BigInt(min), BigInt(max), 0n, 1n] as const;
    const values = Array.from({ length: size }, () => pick(pool, random));
    return isBig(dtype)
      ? tensor(values, shape, dtype)
      : tensor(bigsToStorage(BigInt64Array.from(values), dtype), shape, dtype);
  };
}

/** Beyond the usual bounds of activations, such as 6. */
const BEYOND_BOUNDS = [8, -8];

function specialFloats(dtype: DType, leftOut: LeftOut): readonly [number, ...number[]] {
  const { least, leastNormal } = spacingOf(dtype) ?? { least: 0, leastNormal: 0 };
  const max = Number(dtypeInfo(dtype).max);
  const infinities = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, max, -max];
  return [
    0,
    -0,
    1,
    -1,
    least,
    -least,
    leastNormal,
    ...(leftOut.nan ? [] : [Number.NaN]),
    ...(leftOut.infinity ? BEYOND_BOUNDS : infinities),
  ];
}
