import { isTensor, type Tensor, toNumbers } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elements, gridTensor, SEED } from './kernels-support.ts';
import { nested, run, t } from './support.ts';

const one = (value: ReturnType<typeof run>): Tensor => {
  if (!isTensor(value)) throw new Error('a tensor');
  return value;
};

/** Samples of one row of three pixels at coordinates along it. */
const along = (xs: number[], attrs: Parameters<typeof run>[2]): number[] => {
  const grid = t([[[xs], [xs.map(() => 0)]]]);
  const result = run('image.grid_sample', [t([[[[1, 2, 4]]]]), grid], attrs);
  return Array.from(toNumbers(one(result)));
};

describe('grid_sample', () => {
  test.each([
    ['zeros', [0, 1, 2, 3, 4, 0]],
    ['border', [1, 1, 2, 3, 4, 4]],
    ['reflection', [2, 1, 2, 3, 4, 2]],
  ])('padding by %s', (padding_mode, expected) => {
    expect(along([-2, -1, 0, 0.5, 1, 2], { padding_mode })).toEqual(expected);
  });

  test('without aligned corners −1 is the outer edge of the first cell', () => {
    const third = 2 / 3;
    const attrs = { align_corners: false };
    const found = along([-1, -third, 0, third], attrs);
    [0.5, 1, 2, 4].forEach((value, i) => {
      expect(found[i]).toBeCloseTo(value, 5);
    });
  });

  test('the nearest of two is the even one', () => {
    expect(along([-0.5, 0.5, 0.6], { method: 'nearest' })).toEqual([1, 4, 4]);
  });

  test('cubic goes through the cells', () => {
    expect(along([-1, 0, 1], { method: 'bicubic', padding_mode: 'border' })).toEqual([1, 2, 4]);
  });

  test('the neighbours of a cubic are moved to the border, not its place', () => {
    // The coordinates are −1/2 of a row 1 2 4, with the pixels 1, 1, 1 and 2; the last has the
    // weight a·(t³ − 5t² + 8t − 4), t = 3/2.
    const attrs = { method: 'bicubic', padding_mode: 'border' };
    expect(along([-1.5], attrs)).toEqual([1 - 0.75 * 0.125]);
    expect(along([-9, 9, 1e30, -1e30], attrs)).toEqual([1, 4, 4, 1]);
  });

  test('the grid of the identity samples the image itself', () => {
    fc.assert(
      fc.property(gridTensor([1, 2, 3, 5]), (image) => {
        const identity = t([
          [
            [1, 0, 0],
            [0, 1, 0],
          ],
        ]);
        const grid = run('image.affine_grid', [identity], { target_shape: [3, 5] });
        const same = one(run('image.grid_sample', [image, grid]));
        const wanted = elements(image).map(Number);
        elements(same).forEach((value, i) => {
          expect(Number(value)).toBeCloseTo(wanted[i] ?? Number.NaN, 4);
        });
      }),
      { seed: SEED, numRuns: 30 },
    );
  });

  test('affine_grid of one row or one column is at its beginning', () => {
    const identity = t([
      [
        [1, 0, 0],
        [0, 1, 0],
      ],
    ]);
    const grid = (height: number, width: number) =>
      nested(run('image.affine_grid', [identity], { target_shape: [height, width] }));
    expect(grid(1, 3)).toEqual([[[[-1, 0, 1]], [[-1, -1, -1]]]]);
    expect(grid(2, 1)).toEqual([
      [
        [[-1], [-1]],
        [[-1], [1]],
      ],
    ]);
  });

  test('affine_grid has x before y', () => {
    const shear = t([
      [
        [1, 0.5, 0],
        [0, 1, 0.25],
      ],
    ]);
    expect(nested(run('image.affine_grid', [shear], { target_shape: [2, 2] }))).toEqual([
      [
        [
          [-1.5, 0.5],
          [-0.5, 1.5],
        ],
        [
          [-0.75, -0.75],
          [1.25, 1.25],
        ],
      ],
    ]);
  });
});
