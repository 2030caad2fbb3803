import { castNumber, type DType, dtypeInfo, isBig, isInteger } from '@baton/tensor';
import { float } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { between, ZERO } from '../../bounds/bounds.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i32 } from '../../example-types.ts';
import { boundsOnIntegers } from '../../on-integers/rules.ts';
import { identityIn } from '../../relation/basic.ts';
import { math, x, y, z } from '../../scalar/expr.ts';

export const clip = defineOp({
  name: 'clip',
  doc: 'Elements clamped to `a_min` and `a_max`, compared in their dtype; NaN is kept.',
  source: 'operators §1; NumPy clip',
  attrs: attrs({ a_min: float, a_max: float }),
  relation: identityIn('number'),
  form: {
    _tag: 'Map',
    expr: math.min(math.max(x, y), z),
    numbers: ({ a_min: low, a_max: high }, dtype) => [bound(low, dtype), bound(high, dtype)],
  },
  cost: (_args, result) => 2 * elementCount(result),
  precision: ({ a_min: low, a_max: high }, largest) =>
    Math.max(Math.abs(Number(low)), Math.abs(Number(high))) > largest ? 'never' : 'follow',
  bounds: ([data = ZERO], { attrs: { a_min: low, a_max: high } }) => {
    const into = (value: number): number => Math.min(Math.max(value, low), high);
    return between(
      into(data.lo),
      into(data.hi),
      Math.max(data.fraction, digits(low), digits(high)),
    );
  },
  range: ({ a_min: low, a_max: high }) => [Math.min(Number(low), Number(high)), Number(high)],
  // Also at the bounds, where the scalar expression has no derivative.
  gradient: ({ args: [x], g, attrs: { a_min: low, a_max: high }, op, number, zerosLike }) => {
    const isWithin = [op('less_equal', [number(low), x]), op('less_equal', [x, number(high)])];
    return [op('where', [op('logical_and', isWithin), g, zerosLike(g)])];
  },
  quantizing: 'bound',
  onIntegers: boundsOnIntegers,
  examples: [
    { args: [f32(2, 3)], attrs: { a_min: -1, a_max: 1.5 }, result: f32(2, 3) },
    { args: [i32(4)], attrs: { a_min: 0, a_max: 2 }, result: i32(4) },
  ],
});

/** The number of binary digits of a bound after the point. */
const digits = (x: number): number => [0, 1, 2, 3].find((k) => Number.isInteger(x * 2 ** k)) ?? 12;

/** A bound in `dtype`: rounded for floats, truncated for integers, clamped to its range. */
function bound(value: number, dtype: DType): number | bigint {
  if (isBig(dtype)) return bigBound(value, dtype);
  if (!isInteger(dtype)) return castNumber(value, dtype);
  const { min, max } = dtypeInfo(dtype);
  return Math.min(Math.max(Math.trunc(value), Number(min)), Number(max));
}

function bigBound(value: number, dtype: DType): bigint {
  const [min, max] = [BigInt(dtypeInfo(dtype).min), BigInt(dtypeInfo(dtype).max)];
  if (!Number.isFinite(value)) return value > 0 ? max : min;
  const whole = BigInt(Math.trunc(value));
  if (whole < min) return min;
  return whole > max ? max : whole;
}
