import {
  broadcastView,
  DTYPES,
  full,
  scalar,
  sliceView,
  type Tensor,
  tensor,
  tensorsEqual,
  toNested,
} from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatenate, stack } from '../src/kernels/concatenate.ts';
import { gridOffsets } from '../src/kernels/copy.ts';
import { padConstant, padWithOwn } from '../src/kernels/pad.ts';
import { gather, take as taken } from '../src/kernels/take.ts';
import { at, build, elements, f32, gridTensor, SEED } from './kernels-support.ts';

const take = (x: Tensor, indices: Tensor, axis: number | undefined, mode: string): Tensor =>
  taken(x, indices, { axis, batch: 0, isWrapped: mode !== 'clip' });

const runs = { seed: SEED, numRuns: 60 };
const dim = fc.constantFrom(0, 1, 2, 3, 5);
const iota = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

const anyWidths = (low: number, rank: number) => {
  const list = fc.array(fc.integer({ min: low, max: 3 }), { minLength: rank, maxLength: rank });
  return fc.record({ before: list, after: list });
};

describe('padding with a constant', () => {
  it('puts the value around, and crops where a width is negative', () => {
    const problem = fc
      .tuple(fc.tuple(dim, dim), anyWidths(-2, 2))
      .chain(([shape, widths]) => fc.tuple(gridTensor(shape), fc.constant(widths)));
    fc.assert(
      fc.property(problem, ([x, { before, after }]) => {
        const shape = x.shape.map((d, axis) =>
          Math.max(d + (before[axis] as number) + (after[axis] as number), 0),
        );
        const expected = build(shape, 'float32', (index) =>
          at(
            x,
            index.map((i, axis) => i - (before[axis] as number)),
            9,
          ),
        );
        expect(
          tensorsEqual(padConstant(x, { before, after }, scalar(9, 'float32')), expected),
        ).toBe(true);
      }),
      { ...runs, numRuns: 200 },
    );
  });

  it.each(DTYPES)('of %s takes the value to its type, zero if there is none', (dtype) => {
    const x = tensor([1], [1], dtype);
    const widths = { before: [1], after: [1] };
    expect(elements(padConstant(x, widths)).map(Number)).toEqual([0, 1, 0]);
    expect(elements(padConstant(x, widths, scalar(1, 'float32'))).map(Number)).toEqual([1, 1, 1]);
  });

  it('keeps the sign of a zero', () => {
    const padded = padConstant(f32([1]), { before: [1], after: [0] }, scalar(-0, 'float32'));
    expect(elements(padded)).toEqual([-0, 1]);
  });
});

describe('padding with own elements', () => {
  it.each([
    ['edge', [1, 1, 1, 2, 3, 3]],
    ['reflect', [3, 2, 1, 2, 3, 2]],
    ['symmetric', [2, 1, 1, 2, 3, 3]],
  ] as const)('%s', (mode, expected) => {
    const x = f32([1, 2, 3]);
    expect(elements(padWithOwn(x, { before: [2], after: [1] }, mode))).toEqual(expected);
  });

  it.each([
    ['reflect', [1, 2, 1, 2, 1]],
    ['symmetric', [2, 1, 1, 2, 2]],
  ] as const)(
    '%s repeats the pattern where the padding is wider than the axis',
    (mode, expected) => {
      const padded = padWithOwn(f32([1, 2]), { before: [2], after: [1] }, mode);
      expect(elements(padded)).toEqual(expected);
    },
  );

  it.each(['edge', 'reflect', 'symmetric'] as const)(
    '%s repeats the element of an axis that has one',
    (mode) => {
      expect(elements(padWithOwn(f32([5]), { before: [2], after: [1] }, mode))).toEqual([
        5, 5, 5, 5,
      ]);
    },
  );

  it('fills the corners', () => {
    const x = f32([1, 2, 3, 4], [2, 2]);
    expect(toNested(padWithOwn(x, { before: [1, 1], after: [0, 0] }, 'reflect'))).toEqual([
      [4, 3, 4],
      [2, 1, 2],
      [4, 3, 4],
    ]);
  });
});

describe('concatenate and stack', () => {
  it('concatenate any strides and dtypes as the definition says', () => {
    const problem = fc
      .record({
        a: dim,
        b: dim,
        c: dim,
        axis: fc.constantFrom(0, 1, 2),
        dtype: fc.constantFrom(...DTYPES),
      })
      .chain(({ a, b, c, axis, dtype }) => {
        const shape = (d: number) => [2, 3, 5].map((other, i) => (i === axis ? d : other));
        const parts = fc.tuple(
          gridTensor(shape(a), dtype),
          gridTensor(shape(b), dtype),
          gridTensor(shape(c), dtype),
        );
        return fc.tuple(parts, fc.constant(axis));
      });
    fc.assert(
      fc.property(problem, ([parts, axis]) => {
        const joined = concatenate(parts, axis);
        let begin = 0;
        for (const part of parts) {
          const start = joined.shape.map((_, a) => (a === axis ? begin : 0));
          expect(tensorsEqual(sliceView(joined, start, part.shape), part)).toBe(true);
          begin += part.shape[axis] as number;
        }
        expect(joined.shape[axis]).toBe(begin);
      }),
      { ...runs, numRuns: 100 },
    );
  });

  it('stack along a new axis', () => {
    const [a, b] = [f32([1, 2]), f32([3, 4])];
    expect(toNested(stack([a, b], 0))).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(toNested(stack([a, b], 1))).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it('hold once what all parts repeat along another axis', () => {
    const rows = broadcastView(f32([1, 2]), [500, 200, 2]);
    const joined = concatenate([full([500, 200, 1], 'float32', 3), rows], 2);
    expect([joined.shape, joined.data.length]).toEqual([[500, 200, 3], 3]);
    expect(elements(joined).slice(-6)).toEqual([3, 1, 2, 3, 1, 2]);
    // Along the axis itself, and along one on which some part does not repeat, all elements are
    // stored.
    const columns = concatenate([rows, f32(iota(400), [1, 200, 2])], 0);
    expect(columns.data.length).toBe(501 * 400);
    expect(elements(columns).slice(-4)).toEqual([397, 398, 399, 400]);
  });
});

describe('take and gather', () => {
  const ten = f32([10, 20, 30]);
  const places = tensor([0, 3, -1], [3], 'int32');

  it.each([
    ['clip', [10, 30, 10]],
    ['wrap', [10, 10, 30]],
    ['fast', [10, 10, 30]],
  ] as const)('take with mode %s (C160)', (mode, expected) => {
    expect(elements(take(ten, places, 0, mode))).toEqual(expected);
  });

  it.each([0, 1, 2])('take along axis %d agrees with the definition', (axis) => {
    const size = [2, 3, 5][axis] as number;
    const chosen = fc.array(fc.nat(size - 1), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(gridTensor([2, 3, 5]), chosen, (x, list) => {
        const indices = tensor(list, [2, 2], 'int64');
        const shape = [2, 3, 5].flatMap((d, a) => (a === axis ? [2, 2] : [d]));
        const expected = build(shape, 'float32', (index) => {
          const [i, j] = index.slice(axis, axis + 2) as [number, number];
          const place = list[2 * i + j] as number;
          return at(x, [...index.slice(0, axis), place, ...index.slice(axis + 2)]);
        });
        expect(tensorsEqual(take(x, indices, axis, 'fast'), expected)).toBe(true);
      }),
      runs,
    );
  });

  it('take from the flattened tensor without an axis', () => {
    const x = f32(iota(6), [2, 3]);
    expect(elements(take(x, tensor([4, 0], [2], 'int32'), undefined, 'clip'))).toEqual([5, 1]);
  });

  it('gather as C161 says, negative indices from the end', () => {
    const x = f32([1, 2, 3, 4], [2, 2]);
    const chosen = tensor([0, 0, 1, 0], [2, 2], 'int32');
    expect(toNested(gather(x, chosen, 1))).toEqual([
      [1, 1],
      [4, 3],
    ]);
    expect(toNested(gather(x, tensor([-1, 0], [1, 2], 'int32'), 0))).toEqual([[3, 2]]);
  });
});

describe('offset tables', () => {
  it('gridOffsets runs the last axis fastest', () => {
    expect([...gridOffsets([2, 3], [10, -1])]).toEqual([0, -1, -2, 10, 9, 8]);
    expect([...gridOffsets([], [])]).toEqual([0]);
    expect([...gridOffsets([2, 0], [1, 1])]).toEqual([]);
  });
});
