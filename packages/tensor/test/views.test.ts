import {
  broadcastShapes,
  broadcastView,
  collapseLoops,
  dataIndex,
  dense,
  expandDims,
  forEachRow,
  isDense,
  normalizeAxis,
  readNumber,
  reshapeView,
  reverseView,
  rowMajorStrides,
  shapeSize,
  sliceView,
  squeeze,
  type Tensor,
  tensor,
  tensorsEqual,
  toNested,
  toNumbers,
  transposeView,
} from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyDim, anyShape, anyTensor, anyViewStep, SEED } from './arbitraries.ts';

const runs = { seed: SEED, numRuns: 500 };
const anySteps = fc.array(anyViewStep, { maxLength: 5 });
const iota = (...shape: number[]): Tensor =>
  tensor(
    Array.from({ length: shapeSize(shape) }, (_, i) => i),
    shape,
    'float32',
  );

describe('views', () => {
  it('read the same as their dense copies', () => {
    fc.assert(
      fc.property(anyTensor(anyShape), anySteps, (t, steps) => {
        let seen = t;
        let copied = t;
        for (const step of steps) {
          seen = step(seen);
          copied = dense(step(copied));
          expect(seen.data).toBe(t.data);
          expect(isDense(copied)).toBe(true);
        }
        expect(tensorsEqual(seen, copied)).toBe(true);
        expect(dense(copied)).toBe(copied);
      }),
      runs,
    );
  });

  it('reshape to the same elements in row-major order, without a copy if strides allow', () => {
    fc.assert(
      fc.property(anyTensor(anyShape), anySteps, fc.array(anyDim), (t, steps, cut) => {
        const seen = steps.reduce((view, step) => step(view), t);
        const shape = refactored(shapeSize(seen.shape), cut);
        const reshaped = reshapeView(seen, shape);
        expect(
          tensorsEqual(reshaped, { ...dense(seen), shape, strides: rowMajorStrides(shape) }),
        ).toBe(true);
        if (isDense(seen)) expect(reshaped.data).toBe(seen.data);
      }),
      runs,
    );
  });

  it('keep strides where runs of axes step evenly', () => {
    const t = transposeView(iota(2, 3, 5, 7), [1, 0, 2, 3]);
    expect(reshapeView(t, [3, 2, 35]).data).toBe(t.data);
    expect(reshapeView(t, [3, 1, 2, 7, 5]).data).toBe(t.data);
    expect(reshapeView(t, [6, 35]).data).not.toBe(t.data);
    const repeated = broadcastView(iota(3), [4, 3]);
    expect(reshapeView(repeated, [2, 2, 3]).strides).toEqual([0, 0, 1]);
    expect(reshapeView(repeated, [12]).data.length).toBe(12);
  });

  it.each<[string, Tensor, unknown]>([
    [
      'transpose',
      transposeView(iota(2, 3), [1, 0]),
      [
        [0, 3],
        [1, 4],
        [2, 5],
      ],
    ],
    [
      'slice',
      sliceView(iota(3, 4), [1, 3], [2, 2], [1, -2]),
      [
        [7, 5],
        [11, 9],
      ],
    ],
    ['empty slice', sliceView(iota(3), [3], [0]), []],
    [
      'broadcast',
      broadcastView(iota(2, 1), [2, 2, 3]),
      [
        [
          [0, 0, 0],
          [1, 1, 1],
        ],
        [
          [0, 0, 0],
          [1, 1, 1],
        ],
      ],
    ],
    ['expandDims', expandDims(iota(2), 1, 2), [[[0]], [[1]]]],
    ['squeeze all', squeeze(iota(1, 2, 1)), [0, 1]],
    ['squeeze one', squeeze(iota(1, 2, 1), [2]), [[0, 1]]],
    [
      'reverse',
      reverseView(iota(2, 3), [1]),
      [
        [2, 1, 0],
        [5, 4, 3],
      ],
    ],
    ['reverse of nothing', reverseView(iota(0, 3), [0]), []],
  ])('%s', (_, t, expected) => {
    expect(toNested(t)).toEqual(expected);
  });

  it('refuse arguments that do not fit, as a bug', () => {
    const t = iota(2, 3);
    expect(() => reshapeView(t, [4])).toThrow(/number of elements/);
    expect(() => transposeView(t, [0, 0])).toThrow(/permutes/);
    expect(() => sliceView(t, [0, 2], [2, 2])).toThrow(/lies within/);
    expect(() => broadcastView(t, [3, 3])).toThrow(/broadcasts/);
    expect(() => squeeze(t, [0])).toThrow(/size 1/);
    expect(() => readNumber(t, 6 * 3)).toThrow(/index/);
  });

  it('keep the payload of NaNs and all 64-bit patterns when copied', () => {
    const bits = new Uint32Array([0x7fa00001, 0x7f800001, 1, 0xffc12345]);
    const t = tensor(new Float32Array(bits.buffer), [2, 2], 'float32');
    const twice = dense(transposeView(dense(transposeView(t, [1, 0])), [1, 0]));
    expect([...new Uint32Array(twice.data.buffer)]).toEqual([...bits]);
    const wide = tensor(new Float64Array(bits.buffer), [2], 'float64');
    const flipped = dense(reverseView(wide, [0]));
    expect([...new Uint32Array(flipped.data.buffer)]).toEqual([
      1, 0xffc12345, 0x7fa00001, 0x7f800001,
    ]);
  });
});

describe('broadcasting', () => {
  const anyPair = fc.tuple(anyShape, anyShape);

  it('commutes, associates, and has the scalar shape for its unit', () => {
    fc.assert(
      fc.property(anyShape, anyShape, anyShape, (a, b, c) => {
        expect(broadcastShapes(a, b)).toEqual(broadcastShapes(b, a));
        expect(broadcastShapes(a, [])).toEqual(a);
        expect(broadcastShapes(a, a)).toEqual(a);
        const ab = broadcastShapes(a, b);
        const bc = broadcastShapes(b, c);
        if (ab !== undefined && bc !== undefined) {
          expect(broadcastShapes(ab, c)).toEqual(broadcastShapes(a, bc));
        }
      }),
      runs,
    );
  });

  it('gives a shape that both can be seen in', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const shape = broadcastShapes(a, b);
        if (shape === undefined) return;
        for (const own of [a, b]) {
          const seen = broadcastView(iota(...own), shape);
          const numbers = toNumbers(seen);
          for (let i = 0; i < numbers.length; i++)
            expect(numbers[i]).toBe(seen.data[dataIndex(seen, i)]);
        }
      }),
      { ...runs, numRuns: 200 },
    );
  });

  it.each([
    [[2, 1], [3], [2, 3]],
    [[5], [5], [5]],
    [[1], [0], [0]],
    [[2], [0], undefined],
    [[2, 3], [3, 2], undefined],
    [[], [], []],
  ])('%j with %j', (a, b, expected) => {
    expect(broadcastShapes(a, b)).toEqual(expected);
  });
});

describe('axes', () => {
  it.each([
    [0, 3, 0],
    [-1, 3, 2],
    [-3, 3, 0],
    [3, 3, undefined],
    [-4, 3, undefined],
    [0, 0, undefined],
    [1.5, 3, undefined],
  ])('%d of rank %d is %s', (axis, rank, expected) => {
    expect(normalizeAxis(axis, rank)).toBe(expected);
  });
});

describe('loop nests', () => {
  it('visit every position of every operand in order, however collapsed', () => {
    fc.assert(
      fc.property(anyTensor(anyShape), anySteps, (t, steps) => {
        const seen = steps.reduce((view, step) => step(view), t);
        const other = rowMajorStrides(seen.shape);
        const nest = collapseLoops(seen.shape, [seen.strides, other]);
        const last = nest.shape.length - 1;
        const positions: number[] = [];
        const counted: number[] = [];
        forEachRow(nest, [seen.offset, 0], ([a, b]) => {
          for (let i = 0; i < (nest.shape[last] ?? 0); i++) {
            positions.push((a ?? 0) + i * (nest.strides[0]?.[last] ?? 0));
            counted.push((b ?? 0) + i * (nest.strides[1]?.[last] ?? 0));
          }
        });
        const size = shapeSize(seen.shape);
        expect(counted).toEqual(Array.from({ length: size }, (_, i) => i));
        expect(positions).toEqual(Array.from({ length: size }, (_, i) => dataIndex(seen, i)));
      }),
      runs,
    );
  });

  it('are one loop for a dense tensor', () => {
    const t = iota(2, 3, 1, 5);
    expect(collapseLoops(t.shape, [t.strides])).toEqual({ shape: [30], strides: [[1]] });
  });
});

/** A shape of this size: the factors of `cut` that divide it, then the rest. */
function refactored(size: number, cut: ReadonlyArray<number>): number[] {
  if (size === 0) return [3, 0, ...cut];
  let rest = size;
  const shape: number[] = [];
  for (const factor of cut) {
    if (factor === 0 || rest % factor !== 0) continue;
    shape.push(factor);
    rest /= factor;
  }
  return [...shape, rest];
}
