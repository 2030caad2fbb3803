import { isTensor, type Tensor, toNumbers } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elements, gridTensor, SEED } from './kernels-support.ts';
import { nested, run, t, tryRun } from './support.ts';

const one = (value: ReturnType<typeof run>): Tensor => {
  if (!isTensor(value)) throw new Error('a tensor');
  return value;
};
const row = (...values: number[]): Tensor => t([[values]]);
const resized = (values: number[], attrs: Parameters<typeof run>[2]): number[] =>
  Array.from(toNumbers(one(run('image.resize1d', [row(...values)], attrs))));

describe('resize', () => {
  test('C182: linear with aligned corners', () => {
    const attrs = {
      size: [4, 4],
      method: 'linear',
      coordinate_transformation_mode: 'align_corners',
    };
    const [[image]] = nested(
      run(
        'image.resize2d',
        [
          t([
            [
              [
                [1, 2],
                [3, 4],
              ],
            ],
          ]),
        ],
        attrs,
      ),
    ) as [[number[][]]];
    expect([image[0]?.[0], image[0]?.[3], image[3]?.[0], image[3]?.[3]]).toEqual([1, 2, 3, 4]);
    expect(image[0]?.[1]).toBeCloseTo(1.3333334, 6);
  });

  test.each([
    ['half_pixel', [1, 1.5, 2.5, 3]],
    ['asymmetric', [1, 2, 3, 3]],
    ['pytorch_half_pixel', [1, 1.5, 2.5, 3]],
    ['tf_half_pixel_for_nn', [1.5, 2.5, 3, 3]],
  ])('coordinates of %s', (mode, expected) => {
    const found = resized([1, 3], {
      size: 4,
      method: 'linear',
      coordinate_transformation_mode: mode,
    });
    expect(found).toEqual(expected);
  });

  test.each([
    ['round', [1, 2, 2, 3, 3, 3]],
    ['round_prefer_floor', [1, 1, 2, 2, 3, 3]],
    ['round_prefer_ceil', [1, 2, 2, 3, 3, 3]],
    ['floor', [1, 1, 2, 2, 3, 3]],
    ['ceil', [1, 2, 2, 3, 3, 3]],
  ])('the nearest place by %s', (rounding_method, expected) => {
    const attrs = {
      size: 6,
      method: 'nearest_neighbor',
      coordinate_transformation_mode: 'asymmetric',
      rounding_method,
    };
    expect(resized([1, 2, 3], attrs)).toEqual(expected);
  });

  test('a crop extrapolates outside', () => {
    const attrs = {
      size: 3,
      coordinate_transformation_mode: 'tf_crop_and_resize',
      roi: [0, 2],
      extrapolation_value: 9,
    };
    expect(resized([1, 3], attrs)).toEqual([1, 3, 9]);
    const missing = { size: 3, coordinate_transformation_mode: 'tf_crop_and_resize' };
    expect(tryRun('image.resize1d', [row(1, 2)], missing)).toMatchObject({
      left: [{ code: 'OP_ATTR' }],
    });
  });

  test('cubic keeps a constant, with and without places outside', () => {
    for (const cubic_exclude of [0, 1]) {
      const found = resized([2, 2, 2, 2], { size: 7, method: 'cubic', cubic_exclude });
      for (const value of found) expect(value).toBeCloseTo(2, 6);
    }
  });

  test('the same size changes nothing', () => {
    fc.assert(
      fc.property(
        gridTensor([1, 2, 3, 4]),
        fc.constantFrom('linear', 'cubic', 'nearest_neighbor'),
        (data, method) => {
          const same = one(run('image.resize2d', [data], { size: [3, 4], method }));
          expect(elements(same)).toEqual(elements(data));
        },
      ),
      { seed: SEED, numRuns: 60 },
    );
  });

  test('upsampling repeats places', () => {
    const found = run('nn.upsampling', [t([[[[1, 2]]]])], { scale_h: 2, scale_w: 2 });
    expect(nested(found)).toEqual([
      [
        [
          [1, 1, 2, 2],
          [1, 1, 2, 2],
        ],
      ],
    ]);
  });

  test('upsampling with aligned corners takes the nearest place', () => {
    const found = run('nn.upsampling', [t([[[[1, 2, 3]]]])], {
      ...{ scale_h: 1, scale_w: 2, align_corners: true },
    });
    expect(nested(found)).toEqual([[[[1, 1, 2, 2, 3, 3]]]]);
  });
});
