/**
 * Quantized integers: `(q - zero point) * scale` ([operators
 * §9](https://batonjs.github.io/baton/spec/operators#9)).
 */
import {
  type DType,
  dtypeInfo,
  type Memory,
  type NumberData,
  normalizeAxis,
  readNumber,
  type Shape,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import { NODES } from '../scalar/nodes.ts';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/** How a result halfway between two integers is rounded: up, or away from 0. */
export type Rounding = 'UPWARD' | 'TONEAREST';

/** The nearest integer; halves round away from 0, or to the even one. */
export const NEAREST = { TONEAREST: nearest, TIESTOEVEN: NODES.rint.float.apply } as const;

/** The scale and the zero point of data: of rank 0, or vectors along `axis`. */
export interface Quantization {
  readonly scale: Tensor;
  readonly zero: Tensor;
  readonly axis: number;
}

/** A number as `multiplier / 2 ** shift`, with a multiplier of 31 bits besides its sign. */
export interface FixedPoint {
  readonly multiplier: number;
  readonly shift: number;
}

const BITS = 31;

/**
 * The nearest number of this form; 0 for NaN and infinities.
 *
 * **Source** Relay v0.14, GetFixedPointMultiplierShift; Jacob et al., Quantization and Training of
 * Neural Networks for Efficient Integer-Arithmetic-Only Inference, 2018, §2.2.
 */
export function fixedPoint(x: number): FixedPoint {
  if (x === 0 || !Number.isFinite(x)) return { multiplier: 0, shift: BITS };
  if (x < 0) {
    const { multiplier, shift } = fixedPoint(-x);
    return { multiplier: -multiplier, shift };
  }
  let exponent = Math.floor(Math.log2(x)) + 1;
  // The logarithm may round up to the next power of two.
  if (x / 2 ** exponent < 0.5) exponent -= 1;
  const multiplier = Math.round((x / 2 ** exponent) * 2 ** BITS);
  return multiplier === 2 ** BITS
    ? { multiplier: 2 ** (BITS - 1), shift: BITS - exponent - 1 }
    : { multiplier, shift: BITS - exponent };
}

/** The least and the greatest integer of a dtype that float32 can hold. */
export function quantizedRange(dtype: DType): readonly [least: number, most: number] {
  const { min, max } = dtypeInfo(dtype);
  const most = Number(max);
  // The greatest float32 below 2 ** 31.
  return [Number(min), Math.fround(most) > most ? most - 127 : most];
}

const INT32 = quantizedRange('int32');

/**
 * The index in a parameter for an element of the data; the parameter is a scalar, or a vector along
 * an axis.
 */
function placeIn({ shape }: Tensor, data: Shape, axis: number): (i: number) => number {
  if (shape.length === 0) return () => 0;
  const at = normalizeAxis(axis, data.length) ?? 0;
  const inner = shapeSize(data.slice(at + 1));
  const size = data[at] ?? 1;
  return (i) => Math.floor(i / inner) % size;
}

function mapQuantized(
  x: Tensor,
  { scale, zero, axis }: Quantization,
  dtype: DType,
  memory: Memory,
  value: (x: number, scale: number, zero: number) => number,
): Tensor {
  const [data, scales, zeros] = [x, scale, zero].map((t) => loadNumbers(t, memory)) as [
    NumberData,
    NumberData,
    NumberData,
  ];
  const [scaleAt, zeroAt] = [placeIn(scale, x.shape, axis), placeIn(zero, x.shape, axis)];
  const results = numberBuffer(dtype, data.length, memory);
  for (let i = 0; i < data.length; i++) {
    results[i] = value(data[i] as number, scales[scaleAt(i)] as number, zeros[zeroAt(i)] as number);
  }
  return finish(results, x.shape, dtype, memory);
}

const bounded = (x: number, [least, most]: readonly [number, number]): number =>
  Math.min(Math.max(x, least), most);

/** To the nearest integer, halves away from 0. */
function nearest(x: number): number {
  return Math.sign(x) * Math.round(Math.abs(x));
}

/** Rounds to the dtype of a scale, as each step of the arithmetic with it does. */
const inTypeOf = ({ dtype }: Tensor): ((x: number) => number) =>
  dtype === 'float32' ? Math.fround : (x) => x;

/** Quantizes floats; each step is in their dtype. */
export function quantize(
  x: Tensor,
  q: Quantization,
  dtype: DType,
  rounding: keyof typeof NEAREST,
  memory: Memory,
): Tensor {
  const whole = NEAREST[rounding];
  const range = quantizedRange(dtype);
  const rounded = inTypeOf(x);
  return mapQuantized(x, q, dtype, memory, (value, scale, zero) =>
    bounded(rounded(whole(rounded(value / scale)) + zero), range),
  );
}

/** The real numbers that integers represent, in the dtype of the scale. */
export function dequantize(x: Tensor, q: Quantization, memory: Memory): Tensor {
  const rounded = inTypeOf(q.scale);
  return mapQuantized(
    x,
    q,
    q.scale.dtype,
    memory,
    (value, scale, zero) => rounded((value - zero) | 0) * scale,
  );
}

/** Quantizes and dequantizes floats; each step is in their dtype. */
export function simulated(
  x: Tensor,
  { scale, least, most }: { readonly scale: number; readonly least: number; readonly most: number },
  memory: Memory,
): Tensor {
  const rounded = inTypeOf(x);
  const data = loadNumbers(x, memory);
  const results = numberBuffer(x.dtype, data.length, memory);
  for (let i = 0; i < data.length; i++) {
    const multiple = nearest(bounded(rounded((data[i] as number) / scale), [least, most]));
    results[i] = multiple * scale;
  }
  return finish(results, x.shape, x.dtype, memory);
}

/** Converts integers to another quantization, by a product in fixed point. */
export function requantize(
  x: Tensor,
  from: Quantization,
  to: { readonly scale: number; readonly zero: number },
  dtype: DType,
  rounding: Rounding,
  memory: Memory,
): Tensor {
  const range = quantizedRange(dtype);
  const known = new Map<number, FixedPoint>();
  return mapQuantized(x, from, dtype, memory, (value, scale, zero) => {
    const ratio = known.get(scale) ?? fixedPoint(scale / to.scale);
    known.set(scale, ratio);
    return bounded(timesFixed((value - zero) | 0, ratio, rounding) + to.zero, range);
  });
}

/**
 * Converts integers to another quantization; those that represent numbers below 0 are multiplied by
 * `alpha`, by another product in fixed point.
 *
 * **Source** Relay v0.16, LeakyReluQnnCanonicalize.
 */
export function leakyRelu(
  x: Tensor,
  from: Quantization,
  to: { readonly scale: number; readonly zero: number },
  alpha: number,
  memory: Memory,
): Tensor {
  const range = quantizedRange(x.dtype);
  const [slope, rest] = [fixedPoint(alpha), fixedPoint(1 - alpha)];
  const kept = timesFixed(to.zero, rest, 'UPWARD');
  const ratio = fixedPoint(readNumber(from.scale, 0) / to.scale);
  return mapQuantized(x, from, x.dtype, memory, (value, _scale, zero) => {
    const there = timesFixed((value - zero) | 0, ratio, 'UPWARD') + to.zero;
    const moved = bounded(there, INT32);
    return bounded(value < zero ? timesFixed(moved, slope, 'UPWARD') + kept : moved, range);
  });
}

/** `x * multiplier / 2 ** shift`, rounded. */
function timesFixed(x: number, { multiplier, shift }: FixedPoint, rounding: Rounding): number {
  const product = BigInt(x) * BigInt(multiplier);
  if (shift <= 0) return Number(product << BigInt(-shift));
  const half = 1n << BigInt(shift - 1);
  const less = rounding === 'TONEAREST' && product < 0n ? 1n : 0n;
  return Number((product + half - less) >> BigInt(shift));
}

/** The integers minus their zero point, in int32. */
export const centred = (x: Tensor, zero: Tensor, axis: number, memory: Memory): Tensor =>
  mapQuantized(x, { scale: zero, zero, axis }, 'int32', memory, (value, _, point) => value - point);

/** Integers clamped to a narrower dtype. */
export function saturated(x: Tensor, dtype: DType, memory: Memory): Tensor {
  const range = quantizedRange(dtype);
  const data = loadNumbers(x, memory);
  const results = numberBuffer(dtype, data.length, memory);
  for (let i = 0; i < data.length; i++) results[i] = bounded(data[i] as number, range);
  return finish(results, x.shape, dtype, memory);
}
