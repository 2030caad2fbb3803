/**
 * Numbers of float16 as doubles, by their bits: WebAssembly has no instructions for them. A double is
 * rounded to nearest, with ties to even, as the reference does.
 *
 * **Source** IEEE 754, binary16.
 */
import { type FunctionBuilder, f64, i32, i64, select, type Value } from '../emit/index.ts';

/** The bits of a fraction that a double has and a float16 has not. */
const DROPPED = 42n;

/** The sign of a double, and of a float16. */
const SIGN = 1n << 63n;
const HALF_SIGN = 0x8000n;

/** The exponents of a double that is infinite or NaN. */
const SPECIAL = 0x7ffn << 52n;
const HALF_SPECIAL = 0x7c00n;
const HALF_NAN = 0x7e00;

/** The difference of the biases of the exponents. */
const BIAS = 1023 - 15;

/** The least normal number, the spacing of those below, and the greatest. */
const LEAST_NORMAL = 2 ** -14;
const SPACING = 2 ** -24;
const GREATEST = 65_504;

/** The magnitude with the sign of another double. */
const signed = (magnitude: Value<'f64'>, of: Value<'f64'>): Value<'f64'> =>
  f64.reinterpretI64(i64.or(i64.reinterpretF64(magnitude), i64.and(i64.reinterpretF64(of), SIGN)));

/** The number with the bits of a float16. */
export function ofHalf(bits: Value<'i32'>, f: FunctionBuilder): Value<'f64'> {
  const half = f.let(i64.extendI32U(bits));
  const size = f.let(i64.and(half, HALF_SIGN - 1n));
  const wide = f.let(i64.shl(size, DROPPED));
  const finite = f64.mul(f64.reinterpretI64(wide), 2 ** BIAS);
  const special = f64.reinterpretI64(i64.or(wide, SPECIAL));
  const magnitude = f.let(select(finite, special, i64.ltS(size, HALF_SPECIAL)));
  return signed(magnitude, f64.reinterpretI64(i64.shl(half, 48n)));
}

/** The number of float16 nearest to a double. */
export function nearestHalf(given: Value<'f64'>, f: FunctionBuilder): Value<'f64'> {
  const x = f.let(given);
  const size = f.let(f64.abs(x));
  const bits = f.let(i64.reinterpretF64(size));
  const isOdd = i64.and(i64.shrU(bits, DROPPED), 1n);
  const half = (1n << (DROPPED - 1n)) - 1n;
  const raised = i64.add(bits, i64.add(isOdd, half));
  const normal = f64.reinterpretI64(i64.and(raised, -(1n << DROPPED)));
  // A sum of so large a number has the spacing of float16 below its least normal number.
  const large = SPACING * 2 ** 52;
  const small = f64.sub(f64.add(size, large), large);
  const rounded = f.let(select(small, normal, f64.lt(size, LEAST_NORMAL)));
  const bounded = select(f64.const(Number.POSITIVE_INFINITY), rounded, f64.gt(rounded, GREATEST));
  return select(signed(bounded, x), x, f64.eq(x, x));
}

/** The bits of a double that is a number of float16. */
export function halfBits(given: Value<'f64'>, f: FunctionBuilder): Value<'i32'> {
  const x = f.let(given);
  const size = f.let(f64.abs(x));
  const wide = f.let(i64.reinterpretF64(size));
  const normal = i64.sub(i64.shrU(wide, DROPPED), BigInt(BIAS) << 10n);
  const small = i64.truncSatF64S(f64.mul(size, 1 / SPACING));
  const finite = select(small, normal, f64.lt(size, LEAST_NORMAL));
  const magnitude = select(finite, i64.const(HALF_SPECIAL), f64.le(size, GREATEST));
  const sign = i64.and(i64.shrU(i64.reinterpretF64(x), 48n), HALF_SIGN);
  const bits = i32.wrapI64(i64.or(magnitude, sign));
  return select(bits, i32.const(HALF_NAN), f64.eq(x, x));
}
