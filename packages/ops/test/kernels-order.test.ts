import { fromNumbers, isTensor, type Tensor, tensor, toNumbers } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elements, f32, gridTensor, SEED } from './kernels-support.ts';
import { nested, run, t, tryRun } from './support.ts';

const one = (value: ReturnType<typeof run>): Tensor => {
  if (!isTensor(value)) throw new Error('a tensor');
  return value;
};

describe('running sums and products', () => {
  test('C169: cumsum, exclusive or not', () => {
    expect(nested(run('cumsum', [t([1, 2, 3])]))).toEqual([1, 3, 6]);
    expect(nested(run('cumsum', [t([1, 2, 3])], { exclusive: true }))).toEqual([0, 1, 3]);
  });

  test.each([
    [
      'cumsum',
      0,
      [
        [1, 2],
        [4, 6],
        [9, 12],
      ],
    ],
    [
      'cumsum',
      1,
      [
        [1, 3],
        [3, 7],
        [5, 11],
      ],
    ],
    [
      'cumprod',
      0,
      [
        [1, 2],
        [3, 8],
        [15, 48],
      ],
    ],
    [
      'cumprod',
      -1,
      [
        [1, 2],
        [3, 12],
        [5, 30],
      ],
    ],
  ])('%s along axis %i', (name, axis, expected) => {
    const data = t([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(nested(run(name, [data], { axis }))).toEqual(expected);
  });

  test('integers wrap at their own width', () => {
    expect(nested(run('cumsum', [t([100, 100], 'int8')]))).toEqual([100, -56]);
    expect(nested(run('cumprod', [t([65537, 65537], 'int32')]))).toEqual([65537, 131073]);
    const large = tensor([2n ** 62n, 2n ** 62n], [2], 'int64');
    expect(elements(one(run('cumsum', [large])))).toEqual([2n ** 62n, -(2n ** 63n)]);
  });

  test('sums are collected in double precision', () => {
    const tenths = fromNumbers(new Float64Array(1000).fill(0.1), [1000], 'float32');
    const sums = toNumbers(one(run('cumsum', [tenths])));
    expect(sums[999]).toBeCloseTo(Math.fround(0.1) * 1000, 4);
  });
});

describe('order', () => {
  test('C166: topk', () => {
    const data = t([3, 1, 4, 1, 5]);
    expect(nested(run('topk', [data], { k: 2 }))).toEqual([
      [5, 4],
      [4, 2],
    ]);
    expect(nested(run('topk', [data], { k: 2, is_ascend: true }))).toEqual([
      [1, 1],
      [1, 3],
    ]);
    const indices = one(run('topk', [data], { k: 2, ret_type: 'indices' }));
    expect(indices.dtype).toBe('int32');
    expect(nested(indices)).toEqual([4, 2]);
  });

  test('C167: argsort is stable', () => {
    expect(nested(run('argsort', [t([2, 1, 2, 0])]))).toEqual([3, 1, 0, 2]);
    expect(nested(run('argsort', [t([2, 1, 2, 0])], { is_ascend: false }))).toEqual([0, 2, 1, 3]);
  });

  test('NaN comes last in either direction', () => {
    const data = t([Number.NaN, 2, Number.NEGATIVE_INFINITY, 3]);
    const nan = Number.NaN;
    expect(nested(run('sort', [data]))).toEqual([Number.NEGATIVE_INFINITY, 2, 3, nan]);
    const down = run('sort', [data], { is_ascend: false });
    expect(nested(down)).toEqual([3, 2, Number.NEGATIVE_INFINITY, nan]);
  });

  test("a sorted row holds the elements at argsort's indices, in order", () => {
    fc.assert(
      fc.property(gridTensor([3, 4, 2]), fc.integer({ min: 0, max: 2 }), (data, axis) => {
        const sorted = one(run('sort', [data], { axis }));
        const places = run('argsort', [data], { axis });
        expect(elements(one(run('gather', [data, places], { axis })))).toEqual(elements(sorted));
        const again = one(run('sort', [sorted], { axis }));
        expect(elements(again)).toEqual(elements(sorted));
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  test('topk asks for no more than there is', () => {
    expect(tryRun('topk', [t([1, 2])], { k: 3 })).toMatchObject({ left: [{ code: 'OP_ATTR' }] });
  });

  test.each([
    [false, [0, 1, 1, 3, 4]],
    [true, [0, 1, 3, 4, 4]],
  ])('searchsorted counts what lies below (right: %s)', (right, expected) => {
    const found = run('searchsorted', [f32([1, 2, 2, 4]), f32([0, 1.5, 2, 4, 9])], { right });
    expect(nested(found)).toEqual(expected);
  });

  test('searchsorted takes a row for each row of values', () => {
    const rows = t([
      [1, 3],
      [10, 30],
    ]);
    expect(
      nested(
        run('searchsorted', [
          rows,
          t([
            [2, 4],
            [2, 20],
          ]),
        ]),
      ),
    ).toEqual([
      [1, 2],
      [0, 1],
    ]);
  });

  test('argwhere lists the indices of nonzero elements', () => {
    expect(
      nested(
        run('argwhere', [
          t([
            [0, 2],
            [3, 0],
          ]),
        ]),
      ),
    ).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(one(run('argwhere', [t([0, 0])])).shape).toEqual([0, 1]);
  });
});
