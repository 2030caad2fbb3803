/** Operators that look up places, or find them. */
import { type DType, type Tensor, tensor } from '@baton/tensor';
import { type Draw, EXTREME, type Numbers, sizeOf } from '../draw.ts';
import type { Mapping, Mappings } from '../mapping.ts';
import type { OnnxGraph } from '../onnx-graph.ts';

const DTYPES: ReadonlyArray<DType> = ['float32', 'float64', 'int32', 'int64'];

const indices = (d: Draw, shape: ReadonlyArray<number>, below: number): Tensor =>
  d.tensor(shape, d.pick<DType>(['int32', 'int64']), { min: 0, max: below - 1 });

/** Relay has the index along the first axis, ONNX along the last. */
function lastAxisFirst(g: OnnxGraph, t: Tensor): string {
  const axes = t.shape.map((_, i) => i);
  return g.node('Transpose', [g.input(t)], { perm: [...axes.slice(1), 0] });
}

/** Indices of the leading axes of a shape: one row for each of `depth` axes. */
function places(
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

/** Distinct places, so that the order of updates does not show. */
function distinctPlaces(d: Draw, shape: ReadonlyArray<number>, depth: number): Tensor {
  const leading = shape.slice(0, depth);
  const order = d.permutation(sizeOf(leading)).slice(0, d.int(1, sizeOf(leading)));
  const rows = leading.map((size, axis) => {
    const inner = sizeOf(leading.slice(axis + 1));
    return order.map((flat) => Math.floor(flat / inner) % size);
  });
  return tensor(rows.flat(), [depth, order.length], 'int64');
}

const MODES = [
  ['update', 'none'],
  ['add', 'add'],
  ['mul', 'mul'],
  ['min', 'min'],
  ['max', 'max'],
] as const;

/** Numbers of which many are equal, to test that the first comes first. */
const TIES: Numbers = { step: 1, min: -3, max: 3 };

const sorted: Mapping = (d, g) => {
  const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), TIES);
  const axis = d.int(-x.shape.length, x.shape.length - 1);
  const ascending = d.chance(0.5);
  const [values = ''] = topK(g, g.input(x), x.shape.at(axis) ?? 1, axis, ascending);
  return { args: [x], attrs: { axis, is_ascend: ascending }, result: values };
};

const topK = (
  g: OnnxGraph,
  x: string,
  k: number,
  axis: number,
  ascending: boolean,
): ReadonlyArray<string> =>
  g.nodes('TopK', [x, g.ints([k])], 2, { axis, largest: Number(!ascending) });

/** Operators that look up places, or find them. */
export const indexing: Mappings = {
  take: (d, g) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    const axis = d.int(0, x.shape.length - 1);
    const size = x.shape[axis] ?? 1;
    const kind = d.int(0, 3);
    if (kind === 0) {
      const flat = indices(d, d.shape(0, 2), sizeOf(x.shape));
      const line = g.node('Reshape', [g.input(x), g.ints([-1])]);
      return { args: [x, flat], result: g.node('Gather', [line, g.input(flat)]) };
    }
    if (kind > 1) {
      const at = indices(d, d.shape(0, 2), size);
      const result = g.node('Gather', [g.input(x), g.input(at)], { axis });
      return { args: [x, at], attrs: { axis }, result };
    }
    // Places outside are moved to the nearest, or wrapped around.
    const mode = d.pick(['clip', 'wrap']);
    const at = d.tensor(d.shape(0, 2), 'int64', { min: -2 * size, max: 2 * size });
    const bound = (value: number): string => g.scalar(value, 'int64');
    const inside =
      mode === 'clip'
        ? g.node('Min', [g.node('Max', [g.input(at), bound(0)]), bound(size - 1)])
        : g.node('Mod', [g.input(at), bound(size)]);
    const result = g.node('Gather', [g.input(x), inside], { axis });
    return { args: [x, at], attrs: { axis, mode }, result };
  },
  gather: (d, g) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    const axis = d.int(0, x.shape.length - 1);
    const at = indices(
      d,
      x.shape.map((size, i) => (i === axis ? d.dim() : d.int(1, size))),
      x.shape[axis] ?? 1,
    );
    const result = g.node('GatherElements', [g.input(x), g.input(at)], { axis });
    return { args: [x, at], attrs: { axis }, result };
  },
  gather_nd: (d, g) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    const at = places(d, x.shape, d.int(1, x.shape.length), d.shape(1, 2));
    return { args: [x, at], result: g.node('GatherND', [g.input(x), lastAxisFirst(g, at)]) };
  },
  scatter_elements: (d, g) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    const axis = d.int(0, x.shape.length - 1);
    const [mode, reduction] = d.pick(MODES);
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
    const where = tensor(at, shape, 'int64');
    const updates = d.tensor(shape, x.dtype);
    const inputs = [x, where, updates].map((t) => g.input(t));
    const result = g.node('ScatterElements', inputs, { axis, reduction });
    return { args: [x, where, updates], attrs: { axis, reduction: mode }, result };
  },
  scatter_nd: (d, g) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    const depth = d.int(1, x.shape.length);
    const [mode, reduction] = d.pick(MODES);
    // The order of updates to one place does not matter, except that the last of several wins.
    const at =
      mode === 'update'
        ? distinctPlaces(d, x.shape, depth)
        : places(d, x.shape, depth, [d.int(1, 4)]);
    const updates = d.tensor([at.shape[1] ?? 1, ...x.shape.slice(depth)], x.dtype);
    const inputs = [g.input(x), lastAxisFirst(g, at), g.input(updates)];
    const result = g.node('ScatterND', inputs, { reduction });
    return { args: [x, at, updates], attrs: { mode }, result };
  },
  one_hot: (d, g) => {
    const depth = d.int(1, 5);
    const at = d.tensor(d.shape(1, 3), 'int64', { min: 0, max: depth - 1 });
    const axis = d.int(-1, at.shape.length);
    const [on, off] = [d.tensor([], 'float32'), d.tensor([], 'float32')];
    const values = tensor([...off.data, ...on.data] as number[], [2], 'float32');
    const result = g.node('OneHot', [g.input(at), g.ints([depth]), g.input(values)], { axis });
    return { args: [at, on, off], attrs: { depth, axis, dtype: 'float32' }, result };
  },
  topk: (d, g) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), TIES);
    const axis = d.int(-x.shape.length, x.shape.length - 1);
    const k = d.int(1, x.shape.at(axis) ?? 1);
    const ascending = d.chance(0.5);
    const result = topK(g, g.input(x), k, axis, ascending);
    return { args: [x], attrs: { k, axis, is_ascend: ascending, dtype: 'int64' }, result };
  },
  sort: sorted,
  argsort: (d, g) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), TIES);
    const axis = d.int(-x.shape.length, x.shape.length - 1);
    const ascending = d.chance(0.5);
    const [, at = ''] = topK(g, g.input(x), x.shape.at(axis) ?? 1, axis, ascending);
    const attrs = { axis, is_ascend: ascending, dtype: 'int32' };
    return { args: [x], attrs, result: g.cast(at, 'int32') };
  },
  argwhere: (d, g) => {
    const x = d.tensor(d.shape(1, 3), d.pick<DType>(['bool', 'float32', 'int32']), {
      min: -1,
      max: 1,
      step: 1,
    });
    const found = g.node('Transpose', [g.node('NonZero', [g.input(x)])]);
    return { args: [x], result: g.cast(found, 'int32') };
  },
  cumsum: (d, g) => {
    const x = d.tensor(d.shape(1, 3), d.pick(DTYPES), EXTREME);
    const axis = d.int(0, x.shape.length - 1);
    const exclusive = d.chance(0.5);
    const inputs = [g.input(x), g.scalar(axis, 'int32')];
    const result = g.node('CumSum', inputs, { exclusive: Number(exclusive) });
    return { args: [x], attrs: { axis, exclusive }, result };
  },
  cumprod: (d, g) => {
    // Each place is the product of a slice.
    const x = d.tensor(d.shape(1, 3), d.pick<DType>(['float32', 'int32']), {
      min: -2,
      max: 2,
      step: 0.5,
    });
    const axis = d.int(0, x.shape.length - 1);
    const value = g.input(x);
    const rows = Array.from({ length: x.shape[axis] ?? 1 }, (_, i) => {
      const lists = [[0], [i + 1], [axis]].map((list) => g.ints(list));
      return g.node('ReduceProd', [g.node('Slice', [value, ...lists]), g.ints([axis])]);
    });
    return { args: [x], attrs: { axis }, result: g.node('Concat', rows, { axis }) };
  },
  trilu: (d, g) => {
    const x = d.tensor(d.shape(2, 3), d.pick<DType>(['float32', 'float64', 'int64']));
    const upper = d.chance(0.5);
    const k = d.tensor([], 'int64', { min: -3, max: 3 });
    const result = g.node('Trilu', [g.input(x), g.input(k)], { upper: Number(upper) });
    return { args: [x, k], attrs: { upper }, result };
  },
  searchsorted: (d, g) => {
    // The place of a value is the number of elements before it.
    const size = d.int(1, 6);
    const steps = Array.from({ length: size }, () => d.int(0, size)).sort((a, b) => a - b);
    const line = tensor(steps, [size], 'float32');
    const values = d.tensor(d.shape(0, 2), 'float32', { min: -1, max: size + 1, step: 0.5 });
    const right = d.chance(0.5);
    const column = g.node('Unsqueeze', [g.input(values), g.ints([values.shape.length])]);
    const before = g.node(right ? 'LessOrEqual' : 'Less', [g.input(line), column]);
    const counts = g.node('ReduceSum', [g.cast(before, 'int32'), g.ints([values.shape.length])], {
      keepdims: 0,
    });
    return { args: [line, values], attrs: { right }, result: counts };
  },
  invert_permutation: (d, g) => {
    const size = d.int(1, 7);
    const order = tensor(d.permutation(size), [size], 'int64');
    const places = g.node('Range', [
      g.scalar(0, 'int64'),
      g.scalar(size, 'int64'),
      g.scalar(1, 'int64'),
    ]);
    const inputs = [g.input(order), g.input(order), places];
    return { args: [order], result: g.node('ScatterElements', inputs, { axis: 0 }) };
  },
  sequence_mask: (d, g) => {
    const [length, batch, inner] = [d.dim(), d.dim(), d.dim()];
    const axis = d.int(0, 1);
    const x = d.tensor(axis === 0 ? [length, batch, inner] : [batch, length, inner], 'float32');
    const valid = d.tensor([batch], 'int32', { min: 0, max: length });
    const value = d.int(-3, 3);
    const steps = g.node('Range', [
      g.scalar(0, 'int32'),
      g.scalar(length, 'int32'),
      g.scalar(1, 'int32'),
    ]);
    const along = (shape: ReadonlyArray<number>, t: string): string =>
      g.node('Reshape', [t, g.ints(shape)]);
    const isValid = g.node('Less', [
      along(axis === 0 ? [length, 1, 1] : [1, length, 1], steps),
      along(axis === 0 ? [1, batch, 1] : [batch, 1, 1], g.input(valid)),
    ]);
    const result = g.node('Where', [isValid, g.input(x), g.scalar(value, 'float32')]);
    return { args: [x, valid], attrs: { mask_value: value, axis }, result };
  },
  unravel_index: (d, g) => {
    const shape = d.shape(1, 3);
    const at = d.tensor(d.shape(1, 1), 'int32', { min: 0, max: sizeOf(shape) - 1 });
    const rows = shape.map((size, axis) => {
      const inner = g.scalar(sizeOf(shape.slice(axis + 1)), 'int32');
      const place = g.node('Mod', [g.node('Div', [g.input(at), inner]), g.scalar(size, 'int32')]);
      return g.node('Unsqueeze', [place, g.ints([0])]);
    });
    const dims = tensor(shape, [shape.length], 'int32');
    return { args: [at, dims], result: g.node('Concat', rows, { axis: 0 }) };
  },
  strided_set: (d, g) => {
    const x = d.tensor([d.int(2, 6)], 'float32');
    const size = x.shape[0] ?? 1;
    const [begin, stride] = [d.int(0, size - 1), d.int(1, 2)];
    const end = d.int(begin + 1, size);
    const at = Array.from(
      { length: Math.ceil((end - begin) / stride) },
      (_, i) => begin + i * stride,
    );
    const v = d.tensor([at.length], 'float32');
    const list = (value: number): Tensor => tensor([value], [1], 'int64');
    const rows = g.constant(tensor(at, [at.length, 1], 'int64'));
    const result = g.node('ScatterND', [g.input(x), rows, g.input(v)]);
    return { args: [x, v, list(begin), list(end), list(stride)], result };
  },
};
