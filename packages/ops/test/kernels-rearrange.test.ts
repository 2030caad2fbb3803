import { describe, expect, test } from 'vitest';
import { nested, run, t, tryRun } from './support.ts';

const square = t([
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 9],
]);

describe('operators that rearrange', () => {
  test.each([
    [
      true,
      0,
      [
        [1, 2, 3],
        [0, 5, 6],
        [0, 0, 9],
      ],
    ],
    [
      true,
      2,
      [
        [0, 0, 3],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
    [
      false,
      -1,
      [
        [0, 0, 0],
        [4, 0, 0],
        [7, 8, 0],
      ],
    ],
    [
      false,
      1,
      [
        [1, 2, 0],
        [4, 5, 6],
        [7, 8, 9],
      ],
    ],
  ])('trilu (upper %s) from diagonal %i', (upper, k, expected) => {
    expect(nested(run('trilu', [square, t(k, 'int64')], { upper }))).toEqual(expected);
  });

  test('reverse_sequence turns round the beginning of each row', () => {
    const result = run('reverse_sequence', [square, t([1, 2, 3], 'int64')]);
    expect(nested(result)).toEqual([
      [1, 2, 3],
      [5, 4, 6],
      [9, 8, 7],
    ]);
    const attrs = { seq_axis: 0, batch_axis: 1 };
    const columns = run('reverse_sequence', [square, t([1, 2, 3], 'int64')], attrs);
    expect(nested(columns)).toEqual([
      [1, 5, 9],
      [4, 2, 6],
      [7, 8, 3],
    ]);
  });

  test('sequence_mask keeps the valid elements', () => {
    const result = run('sequence_mask', [square, t([1, 0, 3], 'int32')], { mask_value: -1 });
    expect(nested(result)).toEqual([
      [1, -1, 3],
      [-1, -1, 6],
      [-1, -1, 9],
    ]);
    const rows = run('sequence_mask', [square, t([1, 0, 3], 'int32')], { axis: 1 });
    expect(nested(rows)).toEqual([
      [1, 0, 0],
      [0, 0, 0],
      [7, 8, 9],
    ]);
    expect(tryRun('sequence_mask', [square, t([1, 0, 3], 'int32')], { axis: 2 })).toMatchObject({
      left: [{ code: 'OP_ATTR' }],
    });
  });

  test('meshgrid lays each vector along its own axis', () => {
    const vectors = [t([1, 2, 3]), t([10, 20])];
    expect(nested(run('meshgrid', [vectors]))).toEqual([
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
      [
        [10, 20],
        [10, 20],
        [10, 20],
      ],
    ]);
    expect(nested(run('meshgrid', [vectors], { indexing: 'xy' }))).toEqual([
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
      [
        [10, 10, 10],
        [20, 20, 20],
      ],
    ]);
  });

  test('slice_like crops', () => {
    expect(nested(run('slice_like', [square, t([[0, 0]])]))).toEqual([[1, 2]]);
    expect(nested(run('slice_like', [square, t([[0, 0]])], { axes: [1] }))).toEqual([
      [1, 2],
      [4, 5],
      [7, 8],
    ]);
    expect(tryRun('slice_like', [t([1]), t([1, 2])])).toMatchObject({
      left: [{ code: 'OP_SHAPE_MISMATCH' }],
    });
  });

  test('strided_set replaces a slice', () => {
    const bounds = (...lists: number[][]) => lists.map((list) => t(list, 'int64'));
    const value = t([
      [10, 20],
      [30, 40],
    ]);
    const args = [square, value, ...bounds([0, 2], [3, -4], [2, -1])];
    expect(tryRun('strided_set', args)).toMatchObject({ left: [{ code: 'OP_SHAPE_MISMATCH' }] });
    const down = [square, value, ...bounds([2, 0], [0, 2], [-1, 1])];
    expect(nested(run('strided_set', down))).toEqual([
      [1, 2, 3],
      [30, 40, 6],
      [10, 20, 9],
    ]);
  });

  test('matrix_set_diag replaces one diagonal, or several as they are aligned', () => {
    expect(nested(run('matrix_set_diag', [square, t([10, 20, 30])]))).toEqual([
      [10, 2, 3],
      [4, 20, 6],
      [7, 8, 30],
    ]);
    // The rows are the diagonals from the uppermost, which is at the right of its row.
    const band = t([
      [0, 10, 20],
      [30, 40, 50],
      [60, 70, 0],
    ]);
    expect(nested(run('matrix_set_diag', [square, band], { k1: -1, k2: 1 }))).toEqual([
      [30, 10, 3],
      [60, 40, 20],
      [7, 70, 50],
    ]);
  });

  test('unravel_index and invert_permutation', () => {
    const places = run('unravel_index', [t([22, 41, 37], 'int64'), t([7, 6], 'int64')]);
    expect(nested(places)).toEqual([
      [3, 6, 6],
      [4, 5, 1],
    ]);
    expect(nested(run('invert_permutation', [t([3, 4, 0, 2, 1], 'int32')]))).toEqual([
      2, 4, 3, 0, 1,
    ]);
  });
});

describe('blocks', () => {
  const channels = t(Array.from({ length: 8 }, (_, i) => [[i * 10, i * 10 + 1]]));

  test.each([
    [
      'DCR',
      [
        [0, 20, 1, 21],
        [40, 60, 41, 61],
      ],
    ],
    [
      'CRD',
      [
        [0, 10, 1, 11],
        [20, 30, 21, 31],
      ],
    ],
  ])('depth_to_space in mode %s, and back', (mode, first) => {
    const data = run('expand_dims', [channels], { axis: 0 });
    const attrs = { block_size: 2, mode };
    const spread = run('nn.depth_to_space', [data], attrs);
    expect((nested(spread) as number[][][][])[0]?.[0]).toEqual(first);
    expect(nested(run('nn.space_to_depth', [spread], attrs))).toEqual(nested(data));
  });

  test('refuses sizes that blocks do not divide', () => {
    const odd = run('zeros', [], { shape: [1, 1, 3, 4], dtype: 'float32' });
    expect(tryRun('nn.space_to_depth', [odd], { block_size: 2 })).toMatchObject({
      left: [{ code: 'OP_DIM_MISMATCH' }],
    });
  });
});
