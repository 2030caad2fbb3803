import { isTensor, type Tensor, tensor } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, elements, gridTensor, indices, SEED } from './kernels-support.ts';
import { nested, run, t, tryRun } from './support.ts';

const one = (value: ReturnType<typeof run>): Tensor => {
  if (!isTensor(value)) throw new Error('a tensor');
  return value;
};

describe('scatter and gather', () => {
  test('C161: scatter_elements adds along an axis', () => {
    const places = t(
      [
        [0, 0],
        [1, 0],
      ],
      'int64',
    );
    const zeros = t([
      [0, 0],
      [0, 0],
    ]);
    const attrs = { axis: 1, reduction: 'add' };
    const result = run(
      'scatter_elements',
      [
        zeros,
        places,
        t([
          [5, 6],
          [7, 8],
        ]),
      ],
      attrs,
    );
    expect(nested(result)).toEqual([
      [11, 0],
      [8, 7],
    ]);
  });

  test.each([
    ['update', [6, 3], [10, 3, 3]],
    ['add', [2, 3], [10, 9, 3]],
    ['mul', [3, 3], [10, 36, 3]],
    ['min', [6, 2], [10, 2, 3]],
    ['max', [6, 2], [10, 6, 3]],
    ['mean', [6, 2], [10, 4, 3]],
  ])('%s joins all updates of an element', (reduction, updates, expected) => {
    const places = t([1, -2], 'int64');
    const result = run('scatter_elements', [t([10, 4, 3], 'int32'), places, t(updates, 'int32')], {
      reduction,
    });
    expect(nested(result)).toEqual(expected);
  });

  test('a product of 32-bit integers wraps with all its bits', () => {
    const args = [t([2 ** 31 - 1], 'int32'), t([0], 'int64'), t([2 ** 31 - 1], 'int32')];
    expect(nested(run('scatter_elements', args, { reduction: 'mul' }))).toEqual([1]);
  });

  test('an update outside is left out, a slice outside is zero', () => {
    const data = t([1, 2]);
    expect(nested(run('scatter_elements', [data, t([5], 'int64'), t([9])]))).toEqual([1, 2]);
    expect(nested(run('scatter_nd', [data, t([[-3]], 'int64'), t([9])]))).toEqual([1, 2]);
    expect(nested(run('gather_nd', [data, t([[1, 2, -1]], 'int64')]))).toEqual([2, 0, 2]);
  });

  test('scatter_nd joins slices', () => {
    const data = t([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    const updates = t([
      [10, 20],
      [30, 40],
    ]);
    const result = run('scatter_nd', [data, t([[2, 0]], 'int64'), updates], { mode: 'mul' });
    expect(nested(result)).toEqual([
      [30, 40],
      [2, 2],
      [30, 60],
    ]);
  });

  test('64-bit integers are exact', () => {
    const big = tensor([2n ** 60n + 1n, 0n], [2], 'int64');
    const one64 = tensor([2n ** 60n + 2n], [1], 'int64');
    const result = run('scatter_elements', [big, t([1], 'int32'), one64], { reduction: 'max' });
    expect(elements(one(result))).toEqual([2n ** 60n + 1n, 2n ** 60n + 2n]);
  });

  test('gather_nd with all indices gives the data', () => {
    fc.assert(
      fc.property(gridTensor([2, 3, 2]), (data) => {
        const all = indices([2, 3]);
        const columns = t([all.map(([i]) => i ?? 0), all.map(([, j]) => j ?? 0)], 'int64');
        const rows = one(run('gather_nd', [data, columns]));
        expect(rows.shape).toEqual([6, 2]);
        expect(elements(rows)).toEqual(elements(data));
        const back = run('scatter_nd', [run('zeros_like', [data]), columns, rows]);
        expect(elements(one(back))).toEqual(elements(data));
      }),
      { seed: SEED, numRuns: 30 },
    );
  });

  test('gather_nd with a batch', () => {
    const data = t([
      [
        [0, 1],
        [2, 3],
      ],
      [
        [4, 5],
        [6, 7],
      ],
    ]);
    const result = run('gather_nd', [data, t([[1, 0]], 'int64')], { batch_dims: 1 });
    expect(nested(result)).toEqual([
      [2, 3],
      [4, 5],
    ]);
  });
});

describe('einsum', () => {
  test('C184: a product of matrices, and a diagonal', () => {
    fc.assert(
      fc.property(gridTensor([3, 4]), gridTensor([4, 2]), (a, b) => {
        const product = one(run('einsum', [[a, b]], { equation: 'ij,jk->ik' }));
        expect(elements(product)).toEqual(elements(one(run('nn.matmul', [a, b]))));
      }),
      { seed: SEED, numRuns: 40 },
    );
    const square = t([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ]);
    expect(nested(run('einsum', [[square]], { equation: 'ii->i' }))).toEqual([1, 5, 9]);
    expect(nested(run('einsum', [[square]], { equation: 'ii' }))).toBe(15);
  });

  test('without an arrow the labels that occur once come in alphabetical order', () => {
    const data = t([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(nested(run('einsum', [[data]], { equation: 'ba' }))).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
  });

  test('an ellipsis stands for axes that broadcast', () => {
    const a = t([[[1, 2]], [[3, 4]]]);
    const b = t([10, 1]);
    const result = run('einsum', [[a, b]], { equation: '...i,...i->...' });
    expect(nested(result)).toEqual([[12], [34]]);
    expect(at(one(run('einsum', [[a]], { equation: 'a...' })), [0, 1, 1])).toBe(4);
  });

  test.each(['ij->ik', 'i->ii', 'ij,jk->ik', 'ijk->i', 'i.j', 'i->j->k'])(
    'refuses %s for one matrix',
    (equation) => {
      const found = tryRun('einsum', [[t([[1, 2]])]], { equation });
      expect(found).toMatchObject({ left: [{ code: 'OP_ATTR' }] });
    },
  );
});
