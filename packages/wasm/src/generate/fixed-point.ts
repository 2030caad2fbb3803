/** Products in fixed point, of four integers at once. */
import type { Apply } from '@baton/lower';
import { FIXED_POINT, type FixedPointRounding } from '@baton/ops';
import { type FunctionBuilder, i8x16, i32, i32x4, i64, i64x2, type Value } from '../emit/index.ts';
import type { Lanes } from './forms.ts';

type Vector = Value<'v128'>;

/** How a product in fixed point rounds that is stored in 32 bits; `undefined` of other nodes. */
export function fixedPointOf({ expr, of, dtype }: Apply): FixedPointRounding | undefined {
  if (of !== 'int64' || dtype !== 'int32') return undefined;
  if (expr === FIXED_POINT.UPWARD) return 'UPWARD';
  return expr === FIXED_POINT.TONEAREST ? 'TONEAREST' : undefined;
}

/** The low words of two vectors of two. */
const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];

/** `x · y / 2^z` for integers x, multipliers y and distances z from 31 to 62. */
export function fixedPointProduct(
  rounding: FixedPointRounding,
  [x, y, z]: ReadonlyArray<Lanes>,
  f: FunctionBuilder,
): Vector {
  const [data, multipliers, distances] = [x, y, z].map((lanes) => (lanes as Lanes).vector) as [
    Vector,
    Vector,
    Vector,
  ];
  const [low, high] = [i64x2.extmulLowI32x4S, i64x2.extmulHighI32x4S].map((times) => {
    const product = f.let(times(data, multipliers));
    // A half of a product below 0 goes down.
    return rounding === 'UPWARD' ? product : f.let(i64x2.add(product, i64x2.shrS(product, 63)));
  }) as ReadonlyArray<Vector> as readonly [Vector, Vector];
  if (z?.isSame === true) {
    const distance = f.let(i32x4.extractLane(distances, 0));
    const half = f.let(i64x2.splat(i64.shl(1n, i64.extendI32U(i32.sub(distance, 1)))));
    const shifted = (product: Vector): Vector => i64x2.shrS(i64x2.add(product, half), distance);
    return i8x16.shuffle(shifted(low), shifted(high), LOW_WORDS);
  }
  const lane = (i: number): Value<'i32'> => {
    const distance = f.let(i64.extendI32U(i32x4.extractLane(distances, i)));
    const half = i64.shl(1n, i64.sub(distance, 1n));
    const product = i64x2.extractLane(i < 2 ? low : high, i % 2);
    return i32.wrapI64(i64.shrS(i64.add(product, half), distance));
  };
  return [1, 2, 3].reduce((lanes, i) => i32x4.replaceLane(lanes, i, lane(i)), i32x4.splat(lane(0)));
}
