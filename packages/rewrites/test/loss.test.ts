/** Which constants lose a value when a compiler computes them: they overflow, become 0 or lose digits. */
import { type Call, constant } from '@baton/ir';
import { type DType, full, type Tensor } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import {
  areSized,
  constantIn,
  holds,
  isOutOfRange,
  losesLater,
  losesValue,
} from '../src/match/loss.ts';
import { program } from './support.ts';

/** The call that a body is, and its value. */
function callOf(body: string) {
  const m = program('%x', body);
  const call = m.functions.get('main')?.body as Call;
  const data = constantIn(m, call) ?? expect.fail('a constant');
  return { m, call, data };
}

const BODIES: ReadonlyArray<readonly [boolean, string]> = [
  [false, '2f * 3f'],
  [false, '1f / 3f'],
  [true, '1e-30f * 1e-30f'],
  [true, '1e-30f * 1e-10f'],
  [true, '1e30f * 1e30f'],
  [true, 'exp(100f)'],
  [true, 'exp(-100f)'],
  [false, '0f * 1f'],
  [false, '1f - 1f'],
  [false, '1e-40f * 1f'],
  [false, '1f / 0f'],
  [true, '0.001f16 * 0.01f16'],
  [false, '0.01f16 * 0.01f16'],
  [true, '300f16 * 300f16'],
  [true, '1e-200f64 * 1e-200f64'],
  [true, '1e-200f64 * 1e-110f64'],
  [true, '1e200f64 * 1e200f64'],
  [false, '1e-310f64 * 2f64'],
  [false, '1e-200f64 - 1e-200f64'],
  [false, '1e-308f64 - 0.99e-308f64'],
  [true, 'cast(1e-30f, dtype="float16")'],
  [true, 'cast(1e30f, dtype="float16")'],
  [false, 'cast(1.5f, dtype="float16")'],
  [false, 'less(1e-30f, 1e30f)'],
  [false, 'cast(1e-30f, dtype="int32")'],
];

describe('a call of constants', () => {
  it.each(BODIES)('loses a value: %s, in %s', (isLost, body) => {
    const { m, call, data } = callOf(body);
    expect(losesValue(m, constant(data), call, call.args)).toBe(isLost);
  });

  it.each([
    ...BODIES.filter(([, body]) => !body.startsWith('cast') && !body.includes('less')),
    [true, '1e-30f * (1e-10f * 1e-10f)'],
    [true, '1e20f * 1e20f'],
    // The inner product has lost it already.
    [false, '(1e20f * 1e20f) * 1e-30f'],
    [false, '(1e10f * 1e10f) * 1e-30f'],
    [false, 'expand_dims(2f, axis=0)'],
  ] as const)('will lose a value: %s, in %s', (isLost, body) => {
    const { m, call } = callOf(body);
    expect(losesLater(m, call)).toBe(isLost);
  });
});

describe('a type', () => {
  it.each<[boolean, DType, number]>([
    [true, 'float16', 65_504],
    [false, 'float16', 70_000],
    [true, 'float16', 2 ** -14],
    [false, 'float16', 2 ** -14 * 0.99],
    [false, 'float16', -1e-5],
    [true, 'float16', 0],
    [true, 'float16', Infinity],
    [true, 'float16', NaN],
    [true, 'bfloat16', 1e-38 * 2],
    [true, 'float32', 2 ** -126],
    [false, 'float32', 2 ** -127],
    [false, 'float32', 1e39],
    [true, 'float64', 2 ** -1022],
    [false, 'float64', 2 ** -1023],
    [true, 'int64', 2 ** 53 - 1],
    [false, 'int64', 2 ** 53],
    [false, 'uint64', 2 ** 60],
    [true, 'int64', 0.5],
    [true, 'int32', 2 ** 60],
  ])('holds: %s, %s %d', (isHeld, dtype, value) => {
    expect(holds(dtype, value)).toBe(isHeld);
  });
});

describe('a constant that a rule computed', () => {
  const [plain, tiny, endless]: ReadonlyArray<Tensor> = [1, 1e-40, Infinity].map((value) =>
    full([2], 'float32', value),
  );
  const zero = full([], 'float32', 0);
  it.each<[boolean, string, Tensor | undefined, ReadonlyArray<Tensor | undefined>]>([
    [false, 'a plain number', plain, [plain]],
    [true, 'infinity of plain numbers', endless, [plain, tiny]],
    [false, 'infinity of infinity', endless, [plain, endless]],
    [true, 'a subnormal of plain numbers', tiny, [plain, endless]],
    [false, 'a subnormal of a subnormal', tiny, [plain, tiny]],
    [false, 'zero', zero, [plain]],
    [false, 'an integer', full([], 'int32', 7), [plain]],
  ])('is out of range: %s, %s', (isOut, _, made, parts) => {
    const matched = parts.map((part) => constant(part ?? zero));
    expect(isOutOfRange(made ?? zero, matched)).toBe(isOut);
  });

  it('has a size between bounds, both included, for every element', () => {
    const both = full([3], 'float32', -2);
    expect([areSized(both, 2, 3), areSized(both, 1, 2), areSized(both, 2.1, 3)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(areSized(both, 1, 1.9)).toBe(false);
  });
});
