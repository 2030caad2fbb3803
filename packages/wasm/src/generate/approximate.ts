/**
 * Functions of four floats by polynomials, in float32. Each states its largest error over the whole
 * range, measured against the function in float64; NaN, infinities and overflow come out as they do
 * there.
 *
 * **Source** the range reductions and coefficients of Cephes (`expf`, `logf`, `tanhf`, `erff`), and
 * Abramowitz and Stegun 7.1.26 for the tail of erf.
 */
import { spacingOf } from '@baton/tensor';
import { type FunctionBuilder, f32x4, i32x4, type Value, v128 } from '../emit/index.ts';
import { splatOf as splat } from '../kernels/lanes.ts';
import { magnitudeOf, negated } from './signs.ts';

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

/** An odd function: what is near 0, and from a bound on the function of the size. */
const oddOf = (x: Vector, size: Vector, [near, bound, far]: [Vector, number, Vector]): Vector =>
  v128.bitselect(near, v128.or(far, v128.and(x, splat(-0))), f32x4.lt(size, splat(bound)));

/** The hyperbolic tangent, within 3 units in the last place. */
export const tanh: Approximation = (given, f) => {
  const x = f.let(given);
  const size = f.let(magnitudeOf(x));
  const square = f.let(f32x4.mul(x, x));
  const series = polynomial(
    square,
    [-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1],
    f,
  );
  const near = sumOf(f32x4.mul(series, square), x, x, f);
  const power = exp(f32x4.add(size, size), f);
  const far = f32x4.sub(splat(1), f32x4.div(splat(2), f32x4.add(power, splat(1))));
  return oddOf(x, size, [near, 0.625, far]);
};

/** The error function, with a relative error of at most 4e-7. */
export const erf: Approximation = (given, f) => {
  const x = f.let(given);
  const size = f.let(magnitudeOf(x));
  const square = f.let(f32x4.mul(x, x));
  const series = polynomial(
    square,
    [
      7.853861353153693e-5, -8.010193625184903e-4, 5.188327685732524e-3, -2.685381193529856e-2,
      1.128358514861418e-1, -3.7612625824233e-1, 1.12837916572671,
    ],
    f,
  );
  const near = f32x4.mul(series, x);
  const t = f.let(f32x4.div(splat(1), f32x4.add(splat(1), f32x4.mul(size, splat(0.3275911)))));
  const tail = polynomial(
    t,
    [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592],
    f,
  );
  const power = exp(negated(square), f);
  const far = f32x4.sub(splat(1), f32x4.mul(f32x4.mul(tail, t), power));
  return oddOf(x, size, [near, 1, far]);
};
