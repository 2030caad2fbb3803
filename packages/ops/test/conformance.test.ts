import { isLeft } from '@baton/base';
import { fromNumbers, isTensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { nested, run, t, tryRun } from './support.ts';

const range = (count: number, ...shape: number[]) =>
  fromNumbers(
    Array.from({ length: count }, (_, i) => i + 1),
    shape,
    'float32',
  );
const zeros = (...shape: number[]) =>
  fromNumbers(new Float32Array(shape.reduce((a, b) => a * b, 1)), shape, 'float32');

const shapeOf = (value: ReturnType<typeof run>): unknown =>
  isTensor(value) ? value.shape : value.map(shapeOf);

describe('the operator cases of the specification', () => {
  test('C154: argmax has dtype int32', () => {
    const result = run('argmax', [zeros(1, 1)], { axis: [1] });
    expect(result).toMatchObject({ dtype: 'int32', shape: [1] });
  });

  test.each([
    [
      [4, 0, 2],
      [4, 3, 2],
    ],
    [
      [4, -1],
      [4, 6],
    ],
    [[-2], [2, 3, 4]],
    [
      [-3, 4],
      [6, 4],
    ],
    [
      [-4, 1, 2, -2],
      [1, 2, 3, 4],
    ],
  ])('C155: reshape (2, 3, 4) to %j', (newshape, shape) => {
    const result = run('reshape', [range(24, 2, 3, 4)], { newshape });
    expect(result).toMatchObject({ shape });
    expect(isTensor(result) && Array.from(toNumbers(result))).toEqual(
      Array.from({ length: 24 }, (_, i) => i + 1),
    );
  });

  test('C157: squeeze', () => {
    expect(shapeOf(run('squeeze', [zeros(1, 3, 1)]))).toEqual([3]);
    expect(shapeOf(run('squeeze', [zeros(1, 3, 1)], { axis: [0] }))).toEqual([3, 1]);
    expect(isLeft(tryRun('squeeze', [zeros(1, 3, 1)], { axis: [1] }))).toBe(true);
  });

  test('C158: split', () => {
    const x = range(54, 6, 9);
    expect(shapeOf(run('split', [x], { indices_or_sections: 3 }))).toEqual([
      [2, 9],
      [2, 9],
      [2, 9],
    ]);
    const parts = run('split', [x], { indices_or_sections: [2, 5], axis: 1 });
    expect(shapeOf(parts)).toEqual([
      [6, 2],
      [6, 3],
      [6, 4],
    ]);
  });

  test('C160: take clips or wraps', () => {
    const args = [t([10, 20, 30]), t([0, 3, -1], 'int32')];
    expect(nested(run('take', args, { axis: 0 }))).toEqual([10, 30, 10]);
    expect(nested(run('take', args, { axis: 0, mode: 'wrap' }))).toEqual([10, 10, 30]);
  });

  test('C161: gather', () => {
    const data = t([
      [1, 2],
      [3, 4],
    ]);
    const indices = t(
      [
        [0, 0],
        [1, 0],
      ],
      'int64',
    );
    expect(nested(run('gather', [data, indices], { axis: 1 }))).toEqual([
      [1, 1],
      [4, 3],
    ]);
  });

  test('gather takes fewer places than there are along the other axes, not more', () => {
    const data = t([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ]);
    const places = t([[2], [0]], 'int64');
    expect(nested(run('gather', [data, places], { axis: 1 }))).toEqual([[3], [4]]);
    const more = t([[0], [0], [0], [0]], 'int64');
    expect(() => run('gather', [data, more], { axis: 1 })).toThrow('OP_SHAPE_MISMATCH');
  });

  test('C163: variance', () => {
    const x = t([1, 2, 3, 4]);
    expect(nested(run('variance', [x, t(2.5)]))).toBe(1.25);
    expect(nested(run('variance', [x, t(2.5)], { unbiased: true }))).toBeCloseTo(1.6666667, 6);
  });

  test.each([
    ['divide', -3],
    ['floor_divide', -4],
    ['trunc_mod', -1],
    ['mod', -1],
    ['floor_mod', 1],
  ])('C164: %s(-7, 2) is %i', (name, expected) => {
    expect(nested(run(name, [t(-7, 'int32'), t(2, 'int32')]))).toBe(expected);
  });

  test('C170: conv2d values', () => {
    const data = range(9, 1, 1, 3, 3);
    const weight = t([
      [
        [
          [1, 1],
          [1, 1],
        ],
      ],
    ]);
    expect(nested(run('nn.conv2d', [data, weight]))).toEqual([
      [
        [
          [12, 16],
          [24, 28],
        ],
      ],
    ]);
    const padded = run('nn.conv2d', [data, weight], { padding: [1, 1] });
    expect(shapeOf(padded)).toEqual([1, 1, 4, 4]);
    const rows = (nested(padded) as number[][][][])[0]?.[0];
    expect(rows?.[0]?.[0]).toBe(1);
    expect(rows?.[3]?.[3]).toBe(9);
  });

  test('C172: strided dilated convolution', () => {
    const result = run('nn.conv2d', [zeros(1, 3, 224, 224), zeros(16, 3, 3, 3)], {
      strides: [2, 2],
      dilation: [2, 2],
      padding: [2, 2, 2, 2],
    });
    expect(shapeOf(result)).toEqual([1, 16, 112, 112]);
  });

  test('C173: transposed convolution', () => {
    const result = run('nn.conv2d_transpose', [zeros(1, 3, 4, 4), zeros(3, 5, 3, 3)], {
      strides: [2, 2],
      padding: [1, 1],
      output_padding: [1, 1],
      channels: 5,
    });
    expect(shapeOf(result)).toEqual([1, 5, 8, 8]);
  });

  test('C175: average pool and padding', () => {
    const ones = t([
      [
        [
          [1, 1],
          [1, 1],
        ],
      ],
    ]);
    const attrs = { pool_size: [2, 2], padding: [1, 1] };
    const valid = run('nn.avg_pool2d', [ones], attrs);
    expect(isTensor(valid) && Array.from(toNumbers(valid))).toEqual(new Array(9).fill(1));
    const all = run('nn.avg_pool2d', [ones], { ...attrs, count_include_pad: true });
    expect(isTensor(all) && toNumbers(all)[0]).toBe(0.25);
  });

  test('C176: softmax', () => {
    const result = nested(run('nn.softmax', [t([1, 2, 3])])) as number[];
    [0.09003057, 0.24472847, 0.66524096].forEach((expected, i) => {
      expect(Math.abs((result[i] ?? 0) - expected)).toBeLessThan(1e-6);
    });
    expect(nested(run('nn.softmax', [t([1000, 1000])]))).toEqual([0.5, 0.5]);
  });

  test('C178: dense and matmul agree', () => {
    const [x, w] = [range(6, 2, 3), range(12, 4, 3)];
    const dense = run('nn.dense', [x, w]);
    expect(nested(dense)).toEqual(nested(run('nn.matmul', [x, w], { transpose_b: true })));
    expect((nested(dense) as number[][])[0]?.[0]).toBe(14);
  });

  test('C179: layout_transform', () => {
    const x = range(32, 1, 8, 2, 2);
    const blocked = run('layout_transform', [x], { src_layout: 'NCHW', dst_layout: 'NCHW4c' });
    expect(shapeOf(blocked)).toEqual([1, 2, 2, 2, 4]);
    // Channel 5 is block 1, index 1.
    const five = (nested(x) as number[][][][])[0]?.[5]?.[0]?.[1];
    expect((nested(blocked) as number[][][][][])[0]?.[1]?.[0]?.[1]?.[1]).toBe(five);
    const back = run('layout_transform', [blocked], { src_layout: 'NCHW4c', dst_layout: 'NCHW' });
    expect(nested(back)).toEqual(nested(x));
    const last = run('layout_transform', [x], { src_layout: 'NCHW', dst_layout: 'NHWC' });
    expect(shapeOf(last)).toEqual([1, 2, 2, 8]);
  });

  test('C181: where broadcasts three ways', () => {
    const condition = fromNumbers([1, 0, 1], [3, 1], 'bool');
    const result = run('where', [condition, t([[1, 2, 3, 4]]), t(9)]);
    expect(nested(result)).toEqual([
      [1, 2, 3, 4],
      [9, 9, 9, 9],
      [1, 2, 3, 4],
    ]);
  });
});

describe('values without an answer (decision D16)', () => {
  const least = -2147483648;
  test.each<[string, number[], number]>([
    ['divide', [7, 0], 0],
    ['floor_divide', [7, 0], 0],
    ['floor_mod', [7, 0], 0],
    ['trunc_mod', [7, 0], 0],
    ['divide', [least, -1], least],
    ['left_shift', [1, 33], 2],
    ['right_shift', [-8, 33], -4],
    ['add', [2147483647, 1], least],
  ])('%s of int32 %j is %i', (name, values, expected) => {
    expect(
      nested(
        run(
          name,
          values.map((v) => t(v, 'int32')),
        ),
      ),
    ).toBe(expected);
  });

  test.each([
    [Number.NaN, 'int32', 0],
    [-1.9, 'int32', -1],
    [300.5, 'uint8', 44],
    [-1, 'uint8', 255],
    [Number.NaN, 'bool', true],
  ] as const)('cast of %d to %s is %s', (value, dtype, expected) => {
    expect(nested(run('cast', [t(value)], { dtype }))).toBe(expected);
  });

  test('NaN goes through relu, maximum, minimum, max, min and pools', () => {
    const nan = t([1, Number.NaN, 2]);
    expect(nested(run('nn.relu', [nan]))).toEqual([1, Number.NaN, 2]);
    expect(nested(run('maximum', [nan, t(1.5)]))).toEqual([1.5, Number.NaN, 2]);
    expect(nested(run('minimum', [t(1.5), nan]))).toEqual([1, Number.NaN, 1.5]);
    expect(nested(run('max', [nan]))).toBeNaN();
    expect(nested(run('min', [nan]))).toBeNaN();
    const row = t([[[1, Number.NaN, 2]]]);
    expect(nested(run('nn.max_pool1d', [row], { pool_size: [2] }))).toEqual([
      [[Number.NaN, Number.NaN]],
    ]);
  });

  test('argmax and argmin take the first NaN, else the first or the last of equals', () => {
    const nan = t([3, Number.NaN, Number.NaN]);
    expect(nested(run('argmax', [nan]))).toBe(1);
    expect(nested(run('argmin', [nan]))).toBe(1);
    const equal = t([1, 5, 5, 1]);
    expect(nested(run('argmax', [equal]))).toBe(1);
    expect(nested(run('argmax', [equal], { select_last_index: true }))).toBe(2);
    expect(nested(run('argmin', [equal], { select_last_index: true }))).toBe(3);
  });

  test('float16 rounds once for each operator', () => {
    // 2048 + 1 + 1 in float16: each sum is a tie that rounds to the even 2048.
    const sum = run('add', [t(2048, 'float16'), t(1, 'float16')]);
    expect(nested(sum)).toBe(2048);
    expect(nested(run('sum', [t([2048, 1, 1], 'float16')]))).toBe(2050);
  });

  test('bools are summed as or and multiplied as and', () => {
    const mixed = t([1, 0], 'bool');
    expect(nested(run('sum', [mixed]))).toBe(true);
    expect(nested(run('max', [mixed]))).toBe(true);
    expect(nested(run('prod', [mixed]))).toBe(false);
    expect(nested(run('min', [mixed]))).toBe(false);
  });
});

describe('operators that rearrange', () => {
  const x = range(6, 2, 3);
  test.each<[string, Parameters<typeof run>[2], unknown]>([
    [
      'transpose',
      {},
      [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
    ],
    [
      'tile',
      { reps: [1, 2] },
      [
        [1, 2, 3, 1, 2, 3],
        [4, 5, 6, 4, 5, 6],
      ],
    ],
    [
      'repeat',
      { repeats: 2, axis: 1 },
      [
        [1, 1, 2, 2, 3, 3],
        [4, 4, 5, 5, 6, 6],
      ],
    ],
    [
      'repeat',
      { repeats: 2, axis: 0 },
      [
        [1, 2, 3],
        [1, 2, 3],
        [4, 5, 6],
        [4, 5, 6],
      ],
    ],
    ['repeat', { repeats: 2 }, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]],
    [
      'reverse',
      { axis: 1 },
      [
        [3, 2, 1],
        [6, 5, 4],
      ],
    ],
    ['strided_slice', { begin: [0, 1], end: [1, 3] }, [[2, 3]]],
    [
      'strided_slice',
      { begin: [1], end: [-3], strides: [-1] },
      [
        [4, 5, 6],
        [1, 2, 3],
      ],
    ],
    [
      'strided_slice',
      { begin: [-2], end: [-1], slice_mode: 'size', axes: [1] },
      [
        [2, 3],
        [5, 6],
      ],
    ],
    ['sum', { axis: 1 }, [6, 15]],
    ['sum', { axis: [1], exclude: true }, [5, 7, 9]],
    [
      'nn.batch_flatten',
      {},
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    [
      'broadcast_to',
      { shape: [1, 2, 3] },
      [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
    ],
  ])('%s %j', (name, attrs, expected) => {
    expect(nested(run(name, [x], attrs))).toEqual(expected);
  });

  test('a negative stride reaches index 0 only with an end beyond it', () => {
    const v = range(3, 3);
    const slice = (end: number) =>
      nested(run('strided_slice', [v], { begin: [2], end: [end], strides: [-1] }));
    expect(slice(-4)).toEqual([3, 2, 1]);
    expect(slice(0)).toEqual([3, 2]);
    const past = tryRun('strided_slice', [v], { begin: [2], end: [1] });
    expect(isLeft(past) && past.left[0].code).toBe('OP_EXTENT');
  });

  test('a depthwise convolution with a multiplier takes each channel’s own weights', () => {
    const data = t([[[[1]], [[10]]]]);
    const weight = t([
      [[[1]], [[2]]],
      [[[3]], [[4]]],
    ]);
    const attrs = { groups: 2, channels: 4, kernel_size: [1, 1] };
    expect(nested(run('nn.conv2d', [data, weight], attrs))).toEqual([
      [[[1]], [[2]], [[30]], [[40]]],
    ]);
  });

  test('one_hot, arange, full and shape_of', () => {
    const hot = run('one_hot', [t([1, 5], 'int32'), t(2), t(0)], { depth: 3, dtype: 'float32' });
    expect(nested(hot)).toEqual([
      [0, 2, 0],
      [0, 0, 0],
    ]);
    const bounds = [t(1, 'int32'), t(8, 'int32'), t(3, 'int32')];
    expect(nested(run('arange', bounds, { dtype: 'int32' }))).toEqual([1, 4, 7]);
    expect(nested(run('full', [t(1.5)], { shape: [2], dtype: 'int32' }))).toEqual([1, 1]);
    expect(nested(run('shape_of', [x]))).toEqual([2, 3]);
    expect(nested(run('take', [x, t([[1], [0]], 'int32')], { axis: 1, batch_dims: 1 }))).toEqual([
      [2],
      [4],
    ]);
  });

  test('batch_norm normalizes by the given statistics', () => {
    const data = t([[[1], [3]]]);
    const vector = (a: number, b: number) => t([a, b]);
    const args = [data, vector(2, 1), vector(0, 1), vector(0, 1), vector(4, 1)];
    const [y, mean, variance] = nested(run('nn.batch_norm', args, { epsilon: 0 })) as unknown[];
    expect(y).toEqual([[[1], [3]]]);
    expect(mean).toEqual([0, 1]);
    expect(variance).toEqual([4, 1]);
  });
});
