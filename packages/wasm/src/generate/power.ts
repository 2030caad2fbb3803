/**
 * Powers of four floats, as IEEE 754's pow has them for NaN, infinities, zeros and negative bases.
 *
 * **Source** IEEE 754-2019 §9.2.1 for the special cases; the logarithm by the series of the inverse
 * hyperbolic tangent (Abramowitz and Stegun 4.1.27).
 */
import {
  type FunctionBuilder,
  f32x4,
  f64x2,
  i8x16,
  i64x2,
  type Value,
  v128,
} from '../emit/index.ts';
import { splatOf } from '../kernels/lanes.ts';
import { magnitudeOf } from './signs.ts';

type Vector = Value<'v128'>;

const doubles = (value: number): Vector => v128.const(new Float64Array(2).fill(value));
const longs = (value: bigint): Vector => v128.const(new BigInt64Array(2).fill(value));

/** Horner's rule in double, the highest power first. */
function polynomial(x: Vector, coefficients: ReadonlyArray<number>): Vector {
  const [highest = 0, ...others] = coefficients;
  return others.reduce<Vector>(
    (sum, coefficient) => f64x2.add(f64x2.mul(sum, x), doubles(coefficient)),
    doubles(highest),
  );
}

/** 1.5 · 2^52: added to a small number, it leaves the nearest integer in the last bits. */
const ROUNDING = 6_755_399_441_055_744;
const ROUNDING_BITS = 0x4338_0000_0000_0000n;

/** √½: the mantissa of a logarithm begins there. */
const LEAST_MANTISSA_BITS = 0x3fe6_a09e_667f_3bcdn;

/** 2 log₂e · artanh(s) / s in powers of s², whose next term is below 1e-10 of the first. */
const LOGARITHM = [11, 9, 7, 5, 3, 1].map((n) => (2 * Math.LOG2E) / n);

/** 2^r in powers of r, for |r| at most ½, with an error of 5e-9. */
const EXPONENTIAL = [5040, 720, 120, 24, 6, 2, 1, 1].map((n, i) => Math.LN2 ** (7 - i) / n);

/** The logarithm to base 2 of two doubles that are floats, none below 0. */
function logarithm(x: Vector, f: FunctionBuilder): Vector {
  const exponent = f.let(i64x2.shrS(i64x2.sub(x, longs(LEAST_MANTISSA_BITS)), 52));
  const mantissa = f.let(i64x2.sub(x, i64x2.shl(exponent, 52)));
  const s = f.let(f64x2.div(f64x2.sub(mantissa, doubles(1)), f64x2.add(mantissa, doubles(1))));
  const whole = f64x2.sub(i64x2.add(exponent, longs(ROUNDING_BITS)), doubles(ROUNDING));
  const square = f.let(f64x2.mul(s, s));
  const value = f64x2.add(f64x2.mul(polynomial(square, LOGARITHM), s), whole);
  const bounded = v128.bitselect(value, x, f64x2.lt(x, doubles(Number.POSITIVE_INFINITY)));
  const least = doubles(Number.NEGATIVE_INFINITY);
  return v128.bitselect(least, bounded, f64x2.eq(x, doubles(0)));
}

/** 2 to the power of two doubles, which may leave the range of float32. */
function powerOfTwo(given: Vector, f: FunctionBuilder): Vector {
  const x = f.let(f64x2.pmin(f64x2.pmax(given, doubles(-160)), doubles(140)));
  const rounded = f.let(f64x2.add(x, doubles(ROUNDING)));
  const rest = f.let(f64x2.sub(x, f64x2.sub(rounded, doubles(ROUNDING))));
  return i64x2.add(polynomial(rest, EXPONENTIAL), i64x2.shl(rounded, 52));
}

const upperHalf = (x: Vector): Vector =>
  i8x16.shuffle(x, x, [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]);

/** x to the power of y, computed in double and within one unit in the last place. */
export function power(base: Vector, exponent: Vector, f: FunctionBuilder): Vector {
  const x = f.let(base);
  const y = f.let(exponent);
  const size = f.let(magnitudeOf(x));
  const halfOf = (part: (vector: Vector) => Vector): Vector => {
    const double = (vector: Vector): Vector => f.let(f64x2.promoteLowF32x4(part(vector)));
    const found = f64x2.mul(double(y), logarithm(double(size), f));
    return f.let(f32x4.demoteF64x2Zero(powerOfTwo(found, f)));
  };
  const lanes = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
  const magnitude = i8x16.shuffle(
    halfOf((vector) => vector),
    halfOf(upperHalf),
    lanes,
  );
  return signed(x, y, f.let(magnitude), f);
}

/** The power of x, given the power of its size. */
function signed(x: Vector, y: Vector, magnitude: Vector, f: FunctionBuilder): Vector {
  const infinity = splatOf(Number.POSITIVE_INFINITY);
  const isWhole = f.let(f32x4.eq(f32x4.trunc(y), y));
  const half = f.let(f32x4.mul(y, splatOf(0.5)));
  const isOdd = v128.and(isWhole, f32x4.ne(f32x4.trunc(half), half));
  const value = v128.or(magnitude, v128.and(v128.and(x, splatOf(-0)), isOdd));
  const isBelow = v128.and(f32x4.lt(x, splatOf(0)), f32x4.gt(x, splatOf(Number.NEGATIVE_INFINITY)));
  const isUndefined = v128.andnot(isBelow, isWhole);
  const defined = v128.bitselect(splatOf(Number.NaN), value, isUndefined);
  const isUnit = v128.and(f32x4.eq(magnitudeOf(x), splatOf(1)), f32x4.eq(magnitudeOf(y), infinity));
  const isOne = v128.or(v128.or(f32x4.eq(y, splatOf(0)), f32x4.eq(x, splatOf(1))), isUnit);
  return v128.bitselect(splatOf(1), defined, isOne);
}

/**
 * x to a power that is a multiple of ¼ between −1 and 4, by roots and products, within 4 units in the
 * last place; `undefined` for other powers. No factor leaves the range before the result does.
 */
export function quarterPower(
  base: Vector,
  exponent: number,
  f: FunctionBuilder,
): Vector | undefined {
  const quarters = 4 * Math.abs(exponent);
  if (!Number.isInteger(quarters) || quarters === 0 || exponent < -1 || exponent > 4) {
    return undefined;
  }
  const x = quarters % 4 === 0 ? f.let(base) : f.let(radicand(f.let(base)));
  const root = f.let(quarters % 4 === 0 ? x : f32x4.sqrt(x));
  const square = f.let(quarters < 8 ? x : f32x4.mul(x, x));
  const factors = [
    ...(quarters & 1 ? [f32x4.sqrt(root)] : []),
    ...(quarters & 2 ? [root] : []),
    ...(quarters & 4 ? [x] : []),
    ...(quarters & 8 ? [square] : []),
    ...(quarters & 16 ? [f32x4.mul(square, square)] : []),
  ];
  const product = factors.reduce((a, b) => f32x4.mul(a, b));
  return exponent < 0 ? f32x4.div(splatOf(1), product) : product;
}

/** Roots as powers have them: of −0 they are +0, and of −∞ they are ∞. */
const radicand = (x: Vector): Vector => {
  const infinity = splatOf(Number.POSITIVE_INFINITY);
  return f32x4.add(
    v128.bitselect(infinity, x, f32x4.eq(x, splatOf(Number.NEGATIVE_INFINITY))),
    splatOf(0),
  );
};
