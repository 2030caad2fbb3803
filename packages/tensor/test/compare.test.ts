import {
  allClose,
  compareTensors,
  tensor,
  tensorsEqual,
  transposeView,
  valuesEqual,
} from '@baton/tensor';
import { describe, expect, it } from 'vitest';

const f32 = (...values: number[]) => tensor(values, [values.length], 'float32');

describe('equality', () => {
  it.each([
    ['NaNs alike', f32(NaN, 1), tensor(new Float32Array([NaN, 1]), [2], 'float32'), true, true],
    ['zeros of two signs', f32(0), f32(-0), false, true],
    ['values', f32(1), f32(1.0000001), false, false],
    ['shapes', f32(1, 2), tensor([1, 2], [2, 1], 'float32'), false, false],
    ['dtypes', f32(1), tensor([1], [1], 'float64'), false, false],
    [
      'int64',
      tensor([2n ** 60n], [1], 'int64'),
      tensor([2n ** 60n + 1n], [1], 'int64'),
      false,
      false,
    ],
    [
      'bit patterns of one NaN',
      tensor(new Uint16Array([0x7e00]), [1], 'float16'),
      tensor(new Uint16Array([0xfe01]), [1], 'float16'),
      true,
      true,
    ],
    [
      'strides',
      tensor([1, 2, 3, 4], [2, 2], 'int8'),
      transposeView(tensor([1, 3, 2, 4], [2, 2], 'int8'), [1, 0]),
      true,
      true,
    ],
  ])('of %s', (_, a, b, bitwise, byValue) => {
    expect(tensorsEqual(a, b)).toBe(bitwise);
    expect(valuesEqual(a, b)).toBe(byValue);
  });
});

describe('comparison', () => {
  it.each([
    ['equal', [1, NaN, Infinity, -0], [1, NaN, Infinity, 0], [0, 0, true, undefined]],
    ['a difference', [1, 2.5], [1, 2], [0.5, 0.25, true, 1]],
    ['NaN against a number', [NaN], [1], [Infinity, Infinity, false, 0]],
    ['a number against NaN', [1], [NaN], [Infinity, Infinity, false, 0]],
    ['infinities of two signs', [Infinity], [-Infinity], [Infinity, Infinity, true, 0]],
    ['infinity against a number', [1, Infinity], [1, 3], [Infinity, Infinity, true, 1]],
    ['against zeros', [0.5], [0], [0.5, Infinity, true, 0]],
  ])('of %s', (_, a, b, [maxAbsError, maxRelError, equalNaNs, firstDifference]) => {
    expect(compareTensors(f32(...a), f32(...b))).toEqual({
      maxAbsError,
      maxRelError,
      equalNaNs,
      firstDifference,
    });
  });

  it('measures small values against the rms of all', () => {
    const { maxRelError } = compareTensors(f32(0.001, 2), f32(0, 2));
    expect(maxRelError).toBeCloseTo(0.001 / Math.sqrt(2), 9);
  });

  it('subtracts 64-bit integers exactly', () => {
    const a = tensor([2n ** 62n + 1n], [1], 'int64');
    const b = tensor([2n ** 62n], [1], 'int64');
    expect(compareTensors(a, b)).toMatchObject({ maxAbsError: 1, firstDifference: 0 });
  });
});

describe('closeness', () => {
  const tolerance = { atol: 0.01, rtol: 0.1 };
  it.each([
    [[1.1], [1], true],
    [[1.12], [1], false],
    [[0.01], [0], true],
    [[NaN], [NaN], true],
    [[NaN], [1], false],
    [[Infinity], [Infinity], true],
    [[1], [Infinity], false],
    [[-Infinity], [Infinity], false],
  ])('%j to %j', (a, b, expected) => {
    expect(allClose(tensor(a, [1], 'float64'), tensor(b, [1], 'float64'), tolerance)).toBe(
      expected,
    );
  });

  it('fails on another shape', () => {
    expect(allClose(f32(1), f32(1, 1), tolerance)).toBe(false);
  });
});
