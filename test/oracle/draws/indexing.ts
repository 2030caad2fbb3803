/** Operators that look up elements by index, or find indices. */
import { type DType, type Tensor, tensor } from '@baton/tensor';
import type { CaseDraws } from '../case.ts';
import { type Draw, EXTREME, type Numbers, sizeOf } from '../draw.ts';

const DTYPES: ReadonlyArray<DType> = ['float32', 'float64', 'int32', 'int64'];

const indices = (d: Draw, shape: ReadonlyArray<number>, below: number): Tensor =>
  d.tensor(shape, d.pick<DType>(['int32', 'int64']), { min: 0, max: below - 1 });

/** Indices of the leading axes of a shape: one row for each of `depth` axes. */
function leadingIndices(
  d: Draw,
  shape: ReadonlyArray<number>,
  depth: number,
  count: ReadonlyArray<number>,
): Tensor {
  const rows = Array.from({ length: depth }, (_, axis) =>
    Array.from({ length: sizeOf(count) }, () => d.int(0, (shape[axis] ?? 1) - 1)),
  );
  return tensor(rows.flat(), [depth, ...count], 'int64');
}

/** Distinct indices, so that the order of updates does not show. */
function distinctIndices(d: Draw, shape: ReadonlyArray<number>, depth: number): Tensor {
  const leading = shape.slice(0, depth);
  const order = d.permutation(sizeOf(leading)).slice(0, d.int(1, sizeOf(leading)));
  const rows = leading.map((size, axis) => {
    const inner = sizeOf(leading.slice(axis + 1));
    return order.map((flat) => Math.floor(flat / inner) % size);
  });
  return tensor(rows.flat(), [depth, order.length], 'int64');
}

const MODES = ['update', 'add', 'mul', 'min', 'max'] as const;

/** Numbers of which many are equal, to test that the first comes first. */
const TIES: Numbers = { step: 1, min: -3, max: 3 };

/** A tensor with ties, an axis, counted from either end, and a direction. */
function ordered(d: Draw) {
  const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), TIES);
  return { x, axis: d.int(-x.shape.length, x.shape.length - 1) };
}

/** Operators that look up elements by index, or find indices. */
export const indexing: CaseDraws = {
  take: (d) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    const axis = d.int(0, x.shape.length - 1);
    const size = x.shape[axis] ?? 1;
    const kind = d.int(0, 3);
    if (kind === 0) return { args: [x, indices(d, d.shape(0, 2), sizeOf(x.shape))] };
    if (kind > 1) return { args: [x, indices(d, d.shape(0, 2), size)], attrs: { axis } };
    // Indices out of range are moved to the nearest, or wrapped around.
    const mode = d.pick(['clip', 'wrap']);
    const at = d.tensor(d.shape(0, 2), 'int64', { min: -2 * size, max: 2 * size });
    return { args: [x, at], attrs: { axis, mode } };
  },
  gather: (d) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    const axis = d.int(0, x.shape.length - 1);
    const at = indices(
      d,
      x.shape.map((size, i) => (i === axis ? d.dim() : d.int(1, size))),
      x.shape[axis] ?? 1,
    );
    return { args: [x, at], attrs: { axis } };
  },
  gather_nd: (d) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    return { args: [x, leadingIndices(d, x.shape, d.int(1, x.shape.length), d.shape(1, 2))] };
  },
  scatter_elements: (d) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    const axis = d.int(0, x.shape.length - 1);
    const reduction = d.pick(MODES);
    const size = x.shape[axis] ?? 1;
    const count = d.int(1, size);
    const shape = x.shape.map((dim, i) => (i === axis ? count : d.int(1, dim)));
    // Along the axis each element is named once.
    const inner = sizeOf(shape.slice(axis + 1));
    const order = Array.from({ length: sizeOf(shape) / count }, () => d.permutation(size));
    const at = Array.from({ length: sizeOf(shape) }, (_, flat) => {
      const line = Math.floor(flat / (inner * count)) * inner + (flat % inner);
      return order[line]?.[Math.floor(flat / inner) % count] ?? 0;
    });
    const updates = d.tensor(shape, x.dtype);
    return { args: [x, tensor(at, shape, 'int64'), updates], attrs: { axis, reduction } };
  },
  scatter_nd: (d) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    const depth = d.int(1, x.shape.length);
    const mode = d.pick(MODES);
    // The order of updates of one element does not matter, except that the last of several wins.
    const at =
      mode === 'update'
        ? distinctIndices(d, x.shape, depth)
        : leadingIndices(d, x.shape, depth, [d.int(1, 4)]);
    const updates = d.tensor([at.shape[1] ?? 1, ...x.shape.slice(depth)], x.dtype);
    return { args: [x, at, updates], attrs: { mode } };
  },
  one_hot: (d) => {
    const depth = d.int(1, 5);
    const at = d.tensor(d.shape(1, 3), 'int64', { min: 0, max: depth - 1 });
    const axis = d.int(-1, at.shape.length);
    const [on, off] = [d.tensor([], 'float32'), d.tensor([], 'float32')];
    return { args: [at, on, off], attrs: { depth, axis, dtype: 'float32' } };
  },
  topk: (d) => {
    const { x, axis } = ordered(d);
    const k = d.int(1, x.shape.at(axis) ?? 1);
    return { args: [x], attrs: { k, axis, is_ascend: d.chance(0.5), dtype: 'int64' } };
  },
  sort: (d) => {
    const { x, axis } = ordered(d);
    return { args: [x], attrs: { axis, is_ascend: d.chance(0.5) } };
  },
  argsort: (d) => {
    const { x, axis } = ordered(d);
    return { args: [x], attrs: { axis, is_ascend: d.chance(0.5), dtype: 'int32' } };
  },
  argwhere: (d) => ({
    args: [
      d.tensor(d.shape(1, 3), d.pick<DType>(['bool', 'float32', 'int32']), {
        min: -1,
        max: 1,
        step: 1,
      }),
    ],
  }),
  cumsum: (d) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    return { args: [x], attrs: { axis: d.int(0, x.shape.length - 1), exclusive: d.chance(0.5) } };
  },
  cumprod: (d) => {
    const numbers = { min: -2, max: 2, step: 0.5 };
    const x = d.tensor(d.shape(1, 3), d.pick<DType>(['float32', 'int32']), numbers);
    return { args: [x], attrs: { axis: d.int(0, x.shape.length - 1) } };
  },
  trilu: (d) => {
    const x = d.tensor(d.shape(2, 3), d.pick<DType>(['float32', 'float64', 'int64']));
    const upper = d.chance(0.5);
    return { args: [x, d.tensor([], 'int64', { min: -3, max: 3 })], attrs: { upper } };
  },
  searchsorted: (d) => {
    const size = d.int(1, 6);
    const steps = Array.from({ length: size }, () => d.int(0, size)).sort((a, b) => a - b);
    const line = tensor(steps, [size], 'float32');
    const values = d.tensor(d.shape(0, 2), 'float32', { min: -1, max: size + 1, step: 0.5 });
    return { args: [line, values], attrs: { right: d.chance(0.5) } };
  },
  invert_permutation: (d) => {
    const size = d.int(1, 7);
    return { args: [tensor(d.permutation(size), [size], 'int64')] };
  },
  sequence_mask: (d) => {
    const [length, batch, inner] = [d.dim(), d.dim(), d.dim()];
    const axis = d.int(0, 1);
    const x = d.tensor(axis === 0 ? [length, batch, inner] : [batch, length, inner], 'float32');
    const valid = d.tensor([batch], 'int32', { min: 0, max: length });
    return { args: [x, valid], attrs: { mask_value: d.int(-3, 3), axis } };
  },
  unravel_index: (d) => {
    const shape = d.shape(1, 3);
    const at = d.tensor(d.shape(1, 1), 'int32', { min: 0, max: sizeOf(shape) - 1 });
    return { args: [at, tensor(shape, [shape.length], 'int32')], hasConstantShapes: true };
  },
  strided_set: (d) => {
    const x = d.tensor([d.int(2, 6)], 'float32');
    const size = x.shape[0] ?? 1;
    const [begin, stride] = [d.int(0, size - 1), d.int(1, 2)];
    const end = d.int(begin + 1, size);
    const v = d.tensor([Math.ceil((end - begin) / stride)], 'float32');
    const list = (value: number): Tensor => tensor([value], [1], 'int64');
    return { args: [x, v, list(begin), list(end), list(stride)], hasConstantShapes: true };
  },
};
