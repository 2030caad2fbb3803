import { allClose, cast, type Tensor, tensor, toNumbers } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  batchNorm,
  groupNorm,
  instanceNorm,
  l2Normalize,
  layerNorm,
  lrn,
} from '../src/kernels/normalization.ts';
import { at, build, elements, f32, gridTensor, indices, SEED } from './kernels-support.ts';
import { run } from './support.ts';

const { NaN: nan, NEGATIVE_INFINITY: negInf, POSITIVE_INFINITY: inf } = Number;
const softmax = (x: Tensor, axis: number) => run('nn.softmax', [x], { axis }) as Tensor;
const logSoftmax = (x: Tensor, axis: number) => run('nn.log_softmax', [x], { axis }) as Tensor;
const tight = { atol: 1e-6, rtol: 1e-6 };
const total = (values: number[]) => values.reduce((a, b) => a + b, 0);

/** The indices that agree with this one on all axes but these. */
const alike = (shape: ReadonlyArray<number>, index: number[], axes: number[]) =>
  indices(shape).filter((other) =>
    other.every((i, axis) => axes.includes(axis) || i === index[axis]),
  );

function expectClose(found: Tensor, expected: Tensor): void {
  const close = allClose(found, expected, tight);
  if (!close) expect(elements(found)).toEqual(elements(expected));
  expect([close, found.shape, found.dtype]).toEqual([true, expected.shape, expected.dtype]);
}

describe('softmax', () => {
  it.each([0, 1, 2])('along axis %d agrees with the definition', (axis) => {
    fc.assert(
      fc.property(gridTensor([2, 3, 5]), (x) => {
        const share = (index: number[]) => {
          const row = alike([2, 3, 5], index, [axis]).map((i) => Math.exp(at(x, i)));
          return Math.exp(at(x, index)) / total(row);
        };
        expectClose(softmax(x, axis), build([2, 3, 5], 'float32', share));
        const logs = build([2, 3, 5], 'float32', (index) => Math.log(share(index)));
        expectClose(logSoftmax(x, axis), logs);
      }),
      { seed: SEED, numRuns: 30 },
    );
  });

  it.each([
    [
      [1, 2, 3],
      [0.09003057, 0.24472847, 0.66524096],
    ],
    [
      [1000, 1000],
      [0.5, 0.5],
    ],
    [
      [negInf, 0],
      [0, 1],
    ],
    [
      [nan, 0],
      [nan, nan],
    ],
    [
      [inf, 0],
      [nan, nan],
    ],
  ])('of %j is %j (C176)', (values, expected) => {
    expectClose(softmax(f32(values), 0), f32(expected));
  });

  it('takes float16 and empty rows', () => {
    expect(elements(softmax(tensor([1, 1], [2], 'float16'), 0))).toEqual([0.5, 0.5]);
    expect(softmax(f32([], [2, 0]), 1).shape).toEqual([2, 0]);
    expect(softmax(f32([], [0, 2]), 1).shape).toEqual([0, 2]);
  });
});

const channels = (values: number[]) => f32(values);

describe('batchNorm', () => {
  it.each([0, 1, 2])('along axis %d agrees with its formula', (axis) => {
    const shape = [2, 3, 5];
    const count = shape[axis] as number;
    const vector = gridTensor([count]);
    const variances = vector.map((t) => f32(Array.from(toNumbers(t), (v) => Math.abs(v))));
    fc.assert(
      fc.property(gridTensor(shape), vector, vector, vector, variances, (x, g, b, m, v) => {
        const expected = build(shape, 'float32', (index) => {
          const c = [index[axis] as number];
          const normal = (at(x, index) - at(m, c)) / Math.sqrt(at(v, c) + 1e-3);
          return normal * at(g, c) + at(b, c);
        });
        const found = batchNorm(x, m, v, { axis, gamma: g, beta: b, epsilon: 1e-3 });
        expect(allClose(found, expected, { atol: 1e-4, rtol: 1e-6 })).toBe(true);
      }),
      { seed: SEED, numRuns: 40 },
    );
  });

  it('leaves out scale and shift on demand, and counts epsilon', () => {
    const x = f32([3, 5], [1, 2]);
    const affine = { axis: 1, gamma: undefined, beta: undefined, epsilon: 3 };
    const found = batchNorm(x, channels([1, 1]), channels([1, 1]), affine);
    expect(elements(found)).toEqual([1, 2]);
    const empty = batchNorm(f32([], [0, 2]), channels([1, 1]), channels([1, 1]), affine);
    expect(empty.shape).toEqual([0, 2]);
  });
});

describe('norms by their own statistics', () => {
  const shape = [2, 4, 3, 5];
  const epsilon = 1e-3;

  /** Over the elements that `group` collects for an index. */
  function naive(
    x: Tensor,
    axis: number,
    g: Tensor,
    b: Tensor,
    group: (index: number[]) => number[][],
  ) {
    return build(shape, 'float32', (index) => {
      const values = group(index).map((i) => at(x, i));
      const mean = total(values) / values.length;
      const variance = total(values.map((v) => (v - mean) ** 2)) / values.length;
      const c = [index[axis] as number];
      return ((at(x, index) - mean) / Math.sqrt(variance + epsilon)) * at(g, c) + at(b, c);
    });
  }

  const operands = fc.tuple(gridTensor(shape), gridTensor([4]), gridTensor([4]));

  it('instanceNorm agrees with the definition', () => {
    fc.assert(
      fc.property(operands, ([x, gamma, beta]) => {
        const expected = naive(x, 1, gamma, beta, (i) => alike(shape, i, [2, 3]));
        expectClose(instanceNorm(x, { axis: 1, gamma, beta, epsilon }), expected);
      }),
      { seed: SEED, numRuns: 10 },
    );
  });

  it('layerNorm agrees with the definition', () => {
    fc.assert(
      fc.property(operands, ([x, gamma, beta]) => {
        const expected = naive(x, 1, gamma, beta, (i) => alike(shape, i, [1]));
        expectClose(layerNorm(x, { axis: 1, gamma, beta, epsilon }), expected);
      }),
      { seed: SEED, numRuns: 10 },
    );
  });

  it.each([1, 2, 4])('groupNorm with %d groups agrees with the definition', (groups) => {
    const size = 4 / groups;
    const groupOf = (index: number[]) => Math.floor((index[1] as number) / size);
    fc.assert(
      fc.property(operands, ([x, gamma, beta]) => {
        const expected = naive(x, 1, gamma, beta, (index) =>
          alike(shape, index, [1, 2, 3]).filter((other) => groupOf(other) === groupOf(index)),
        );
        expectClose(groupNorm(x, groups, { axis: 1, gamma, beta, epsilon }), expected);
      }),
      { seed: SEED, numRuns: 10 },
    );
  });

  it('rounds float16 once, at the end', () => {
    const x = tensor([1, 2, 3, 4], [1, 4], 'float16');
    const affine = { axis: 1, gamma: undefined, beta: undefined, epsilon: 0 };
    const exact = layerNorm(cast(x, 'float64'), affine);
    expect(elements(layerNorm(x, affine))).toEqual(elements(cast(exact, 'float16')));
  });
});

describe('l2Normalize and lrn', () => {
  it('have the values of their formulas', () => {
    fc.assert(
      fc.property(gridTensor([2, 3, 5]), (x) => {
        const length = build([2, 3, 5], 'float32', (index) => {
          const squares = alike([2, 3, 5], index, [1]).map((i) => at(x, i) ** 2);
          return at(x, index) / Math.sqrt(Math.max(total(squares), 0.5));
        });
        expectClose(l2Normalize(x, [1], 0.5), length);
      }),
      { seed: SEED, numRuns: 20 },
    );
  });

  it.each([1, 2, 3, 5])('lrn of size %d', (size) => {
    const options = { size, axis: 1, bias: 2, alpha: 0.1, beta: 0.75 };
    fc.assert(
      fc.property(gridTensor([2, 7, 3]), (x) => {
        const before = Math.floor((size - 1) / 2);
        const expected = build([2, 7, 3], 'float32', ([n, c, i]) => {
          let squares = 0;
          for (let k = 0; k < size; k++) {
            squares += at(x, [n as number, (c as number) - before + k, i as number], 0) ** 2;
          }
          const value = at(x, [n as number, c as number, i as number]);
          return value / (2 + (0.1 / size) * squares) ** 0.75;
        });
        expectClose(lrn(x, options), expected);
      }),
      { seed: SEED, numRuns: 20 },
    );
  });
});
