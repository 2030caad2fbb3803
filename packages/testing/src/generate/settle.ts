/** Keeps numbers finite, and exact if required. */
import { type Facts, type Interval, magnitude } from '@baton/ops';
import { type DType, isFloat } from '@baton/tensor';
import type { Builder } from './builder.ts';
import type { TensorValue } from './value.ts';

/** The most binary digits of numbers, so that sums and products of some still fit. */
const ROOM: Partial<Record<DType, number>> = { float64: 44, float32: 20, float16: 8, bfloat16: 5 };

/** Larger numbers are scaled down. */
const LARGE = 4096;
const LARGE_INTEGER = 2 ** 20;

/** The value, if necessary in a call that brings it into the program's bounds or onto its grid. */
export function settle(b: Builder, value: TensorValue): TensorValue {
  const { dtype, facts } = value;
  if (dtype === 'bool') return value;
  if (!isFloat(dtype)) {
    if (magnitude(facts) <= (dtype.endsWith('8') ? 120 : LARGE_INTEGER)) return value;
    return b.tensor('clip', [value], { a_min: dtype.startsWith('uint') ? 0 : -16, a_max: 16 });
  }
  if (b.numerics === 'exact') return onGrid(b, value, dtype);
  const large = dtype === 'float16' || dtype === 'bfloat16' ? 64 : LARGE;
  if (magnitude(facts) <= large) return value;
  if (magnitude(facts) > 2 ** 40 || !b.random.chance(0.7)) {
    return b.tensor('clip', [value], { a_min: -8, a_max: 8 });
  }
  const factor = 2 ** -Math.ceil(Math.log2(magnitude(facts)) - 2);
  return b.tensor('multiply', [value, b.constant([factor], [], dtype)]);
}

export const fitInto = (b: Builder, value: TensorValue, dtype: DType): TensorValue =>
  b.numerics === 'exact' && isFloat(value.dtype) && isFloat(dtype)
    ? onGrid(b, value, dtype)
    : value;

/**
 * The value rounded to integers if a call of it would need more digits than its dtype has, and
 * exact results are required: a product of many eighths rounds, a product of many ones does not.
 */
export const wholeFor = (b: Builder, value: TensorValue, made: Facts): TensorValue =>
  b.numerics !== 'exact' || !isFloat(value.dtype) || made.fraction <= (ROOM[value.dtype] ?? 0)
    ? value
    : b.tensor('round', [value]);

function onGrid(b: Builder, value: TensorValue, dtype: DType): TensorValue {
  const { facts } = value;
  const room = ROOM[dtype] ?? 0;
  const digits = Math.log2(Math.max(magnitude(facts), 1)) + facts.fraction;
  if (digits <= room) return value;
  if (facts.fraction > 3) return onGrid(b, b.tensor('round', [value]), dtype);
  const bound = room > 8 ? 8 : 2;
  return b.tensor('clip', [value], { a_min: -bound, a_max: bound });
}
/** The value limited to the interval: unchanged, or by `clip`, `abs` or a factor. */
export function guard(b: Builder, value: TensorValue, [lo, hi]: Interval): TensorValue {
  if (value.facts.lo >= lo && value.facts.hi <= hi) return value;
  const bound = magnitude(value.facts);
  const { random } = b;
  if (lo > 0 && bound + lo <= hi && random.chance(0.7)) {
    const positive = value.facts.lo >= 0 ? value : b.tensor('abs', [value]);
    return b.tensor('add', [positive, b.constant([lo], [], value.dtype)]);
  }
  if (lo === 0 && bound <= hi && random.chance(0.7)) {
    return b.tensor(random.pick(['abs', 'nn.relu']), [value]);
  }
  const room = Math.min(-lo, hi);
  if (room > 0 && bound / room < 2 ** 10 && random.chance(0.6)) {
    const factor = 2 ** -Math.ceil(Math.log2(bound / room));
    return b.tensor('multiply', [value, b.constant([factor], [], value.dtype)]);
  }
  return b.tensor('clip', [value], { a_min: lo, a_max: hi });
}
