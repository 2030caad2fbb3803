/**
 * Functions of four floats by polynomials, in float32. Each states its largest error over the whole
 * range, measured against the function in float64; NaN, infinities and overflow come out as they do
 * there.
 *
 * **Source** the range reductions and coefficients of Cephes (`expf`, `logf`); quotients fitted to
 * `tanh` and `erf` so that the largest relative error is least.
 */
import { spacingOf } from '@baton/tensor';
import { type FunctionBuilder, f32x4, i32x4, type Value, v128 } from '../emit/index.ts';
import { splatOf as splat } from '../kernels/lanes.ts';

type Vector = Value<'v128'>;

/** A function of four floats. */
export type Approximation = (x: Vector, f: FunctionBuilder) => Vector;

const whole = (value: number): Vector => v128.const(new Int32Array(4).fill(value));

/** a · b + c. */
const sumOf = (a: Vector, b: Vector, c: Vector, { isFused }: FunctionBuilder): Vector =>
  isFused ? f32x4.relaxedMadd(a, b, c) : f32x4.add(f32x4.mul(a, b), c);

/** c − a · b. */
const differenceOf = (c: Vector, a: Vector, b: Vector, { isFused }: FunctionBuilder): Vector =>
  isFused ? f32x4.relaxedNmadd(a, b, c) : f32x4.sub(c, f32x4.mul(a, b));

/** Horner's rule, the highest power first. */
function polynomial(x: Vector, coefficients: ReadonlyArray<number>, f: FunctionBuilder): Vector {
  const [highest = 0, ...others] = coefficients;
  return others.reduce<Vector>(
    (sum, coefficient) => sumOf(sum, x, splat(coefficient), f),
    splat(highest),
  );
}

/** 1.5 · 2^23: added to a small number, it leaves the nearest integer in the last bits. */
const ROUNDING = 12_582_912;

/** e^x, within 2 units in the last place. */
export const exp: Approximation = (given, f) => {
  // Beyond the bounds the result is 0 or an infinity; NaN passes both.
  const x = f.let(f32x4.pmin(f32x4.pmax(given, splat(-104)), splat(89)));
  const rounded = f.let(sumOf(x, splat(Math.LOG2E), splat(ROUNDING), f));
  const n = f.let(f32x4.sub(rounded, splat(ROUNDING)));
  const rest = f.let(
    differenceOf(differenceOf(x, n, splat(0.693359375), f), n, splat(-2.1219444e-4), f),
  );
  const tail = polynomial(
    rest,
    [
      1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1,
      5.0000001201e-1,
    ],
    f,
  );
  const power = f32x4.add(sumOf(f32x4.mul(tail, rest), rest, rest, f), splat(1));
  // 2^n in two factors, so that neither leaves the range of exponents.
  const exponent = f.let(i32x4.sub(rounded, whole(0x4b400000)));
  const half = f.let(i32x4.shrS(exponent, 1));
  const twoTo = (k: Vector): Vector => i32x4.shl(i32x4.add(k, whole(127)), 23);
  return f32x4.mul(f32x4.mul(power, twoTo(half)), twoTo(i32x4.sub(exponent, half)));
};

/** The natural logarithm, within 2 units in the last place. */
export const log: Approximation = (given, f) => {
  const isSmall = f.let(f32x4.lt(given, splat(spacingOf('float32').leastNormal)));
  const x = f.let(v128.bitselect(f32x4.mul(given, splat(8_388_608)), given, isSmall));
  const exponent = i32x4.sub(i32x4.shrU(x, 23), whole(126));
  const lifted = i32x4.sub(exponent, v128.and(isSmall, whole(23)));
  const mantissa = f.let(v128.or(v128.and(x, whole(0x007fffff)), whole(0x3f000000)));
  const isLow = f.let(f32x4.lt(mantissa, splat(Math.SQRT1_2)));
  const e = f.let(f32x4.convertI32x4S(i32x4.add(lifted, isLow)));
  const m = f.let(f32x4.sub(f32x4.add(mantissa, v128.and(isLow, mantissa)), splat(1)));
  const square = f.let(f32x4.mul(m, m));
  const series = polynomial(
    m,
    [
      7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1,
      -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
    ],
    f,
  );
  const small = f32x4.sub(
    f32x4.add(f32x4.mul(f32x4.mul(series, m), square), f32x4.mul(e, splat(-2.1219444e-4))),
    f32x4.mul(square, splat(0.5)),
  );
  const value = f32x4.add(f32x4.add(m, small), f32x4.mul(e, splat(0.693359375)));
  const isBounded = f32x4.lt(given, splat(Number.POSITIVE_INFINITY));
  // Infinity and NaN stay; 0 gives −∞ and negative numbers NaN.
  const above = v128.bitselect(value, given, isBounded);
  const below = v128.bitselect(
    splat(Number.NEGATIVE_INFINITY),
    splat(Number.NaN),
    f32x4.eq(given, splat(0)),
  );
  return v128.bitselect(below, above, f32x4.le(given, splat(0)));
};

/** An odd function with the limits ±1, as x · P(x²) / Q(x²) up to a bound, where it reaches 1. */
interface OddRational {
  /** Beyond this number, which the quotient takes to at least 1, the function is 1 in float32. */
  readonly bound: number;
  /** The coefficients of P, the highest power first. */
  readonly over: ReadonlyArray<number>;
  readonly under: ReadonlyArray<number>;
}

/** One division, and no choice between parts of the range. NaN passes both of its bounds. */
const oddRational =
  ({ bound, over, under }: OddRational): Approximation =>
  (given, f) => {
    const within = (x: Vector, most: number): Vector =>
      f32x4.pmin(f32x4.pmax(x, splat(-most)), splat(most));
    const x = f.let(within(given, bound));
    const square = f.let(f32x4.mul(x, x));
    const numerator = f32x4.mul(x, polynomial(square, over, f));
    return within(f32x4.div(numerator, polynomial(square, under, f)), 1);
  };

/** The hyperbolic tangent, within 6 units in the last place. The quotient errs by at most 2.7e-8. */
export const tanh: Approximation = oddRational({
  bound: 9.3125,
  over: [1.2914182e-8, 2.0288813e-5, 3.476037411e-3, 1.33645385504e-1, 1],
  under: [7.595546e-7, 3.253720934e-4, 2.5802522898e-2, 4.66978490353e-1, 1],
});

/** The error function, with a relative error of at most 4e-7. The quotient errs by at most 2.5e-8. */
export const erf: Approximation = oddRational({
  bound: 4.0345,
  over: [
    1.98673069e-6, 2.84547481e-4, 3.8829296827e-3, 5.31004406512e-2, 1.93536728621e-1,
    1.12837910652,
  ],
  under: [3.74186675e-5, 1.1854534969e-3, 1.52064301074e-2, 1.15346372128e-1, 5.04850029945e-1, 1],
});
