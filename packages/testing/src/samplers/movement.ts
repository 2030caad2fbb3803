/** Samplers of operators that move data. */

import { fromFront, sizeOf, someAxis } from '../generate/shapes.ts';
import type { Sampler, Samplers } from './sampler.ts';

const transpose: Sampler = (b, op) => {
  const x = b.operand({ kind: 'any', rank: [1, 5] });
  const rank = x.shape.length;
  if (b.random.chance(0.15)) return b.call(op.name, [x]);
  const axes = b.random.shuffle(x.shape.map((_, i) => i));
  return b.call(op.name, [x], { axes: axes.map((a) => (b.random.chance(0.1) ? a - rank : a)) });
};

/** Another shape of the same size, written with or without the special numbers. */
const reshape: Sampler = (b, op) => {
  const x = b.operand({ kind: 'any' });
  return b.call(op.name, [x], { newshape: reshaped(b, x.shape) });
};

/** A value of `newshape` for a tensor of this shape. */
export function reshaped(
  b: Parameters<Sampler>[0],
  shape: ReadonlyArray<number>,
): ReadonlyArray<number> {
  const { random } = b;
  if (shape.includes(0)) return shape;
  const kind = random.int(0, 5);
  if (kind === 0) return [-1];
  if (kind === 1) return [-2];
  if (kind === 2 && shape.length >= 2) return [-3, ...(shape.length > 2 ? [-2] : [])];
  if (kind === 3 && shape.length >= 2) return [0, -1];
  const order = random.shuffle(shape);
  if (kind === 4 && shape.length >= 2) {
    const at = random.int(0, shape.length - 2);
    return [...order.slice(0, at), sizeOf(order.slice(at, at + 2)), ...order.slice(at + 2)];
  }
  return [...order, ...(random.chance(0.3) ? [1] : [])];
}

const expandDims: Sampler = (b, op) => {
  const x = b.operand({ kind: 'any', rank: [0, 3] });
  const rank = x.shape.length;
  const axis = b.random.int(-rank - 1, rank);
  return b.call(op.name, [x], {
    axis,
    num_newaxis: b.random.weighted([
      [4, 1],
      [1, 2],
    ] as const),
  });
};

const squeeze: Sampler = (b, op) => {
  const fits = (shape: ReadonlyArray<number>): boolean => shape.includes(1);
  const fresh = () =>
    b.random.pick([
      [1, 3, 5],
      [2, 1, 3],
      [1, 7, 1],
      [2, 3, 1, 1],
    ]);
  const x = b.operand({ kind: 'any', fits, fresh });
  if (b.random.chance(0.3)) return b.call(op.name, [x]);
  const ones = x.shape.flatMap((dim, i) => (dim === 1 ? [i] : []));
  return b.call(op.name, [x], {
    axis: b.random.shuffle(ones).slice(0, b.random.int(1, ones.length)),
  });
};

const concatenate: Sampler = (b, op) => {
  const x = b.operand({ rank: [1, 4] });
  const axis = someAxis(b.random, x.shape.length);
  const at = fromFront(axis, x.shape.length);
  const others = Array.from(
    {
      length: b.random.weighted([
        [4, 1],
        [1, 2],
      ] as const),
    },
    () => {
      const other = x.shape.map((dim, i) =>
        i === at && b.random.chance(0.4) ? b.random.int(1, 4) : dim,
      );
      return b.operand({ shape: other, dtype: x.dtype });
    },
  );
  const fields = b.tuple(b.random.shuffle([x, ...others]));
  return b.call(op.name, [fields], { axis });
};

const split: Sampler = (b, op) => {
  const fits = (shape: ReadonlyArray<number>): boolean => shape.some((dim) => dim > 1);
  const x = b.operand({ kind: 'any', rank: [1, 4], fits, fresh: () => [6, 5] });
  const wide = x.shape.flatMap((dim, i) => (dim > 1 ? [i] : []));
  const axis = b.random.pick(wide);
  const dim = x.shape[axis] ?? 2;
  const parts = [2, 3, 5, 7].filter((k) => dim % k === 0);
  const isEven = parts.length > 0 && b.random.chance(0.5);
  const cuts = [b.random.int(1, dim - 1)];
  return b.call(op.name, [x], { indices_or_sections: isEven ? b.random.pick(parts) : cuts, axis });
};

const stridedSlice: Sampler = (b, op) => {
  const fits = (shape: ReadonlyArray<number>): boolean => !shape.includes(0);
  const x = b.operand({ kind: 'any', rank: [1, 4], fits, fresh: () => [5, 3] });
  const bounds = x.shape.map((dim) => {
    const begin = b.random.int(0, Math.min(1, dim - 1));
    return [begin, b.random.int(begin + 1, dim)] as const;
  });
  const strides = x.shape.map(() =>
    b.random.weighted([
      [4, 1],
      [1, 2],
    ] as const),
  );
  const begin = bounds.map(([from]) => from);
  if (b.random.chance(0.3)) {
    const sizes = bounds.map(([from, to]) => to - from);
    return b.call(op.name, [x], { begin, end: sizes, slice_mode: 'size' });
  }
  return b.call(op.name, [x], { begin, end: bounds.map(([, to]) => to), strides });
};

const batchFlatten: Sampler = (b, op) => b.call(op.name, [b.operand({ rank: [1, 5] })]);

export const movementSamplers: Samplers = {
  transpose,
  reshape,
  expand_dims: expandDims,
  squeeze,
  concatenate,
  split,
  strided_slice: stridedSlice,
  'nn.batch_flatten': batchFlatten,
};
