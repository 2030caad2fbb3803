/** Operators that combine the elements along axes. */
import type { Attrs } from '@baton/ir';
import type { DType, Tensor } from '@baton/tensor';
import type { Draw, Numbers } from '../draw.ts';
import type { Mapping, Mappings } from '../mapping.ts';
import type { OnnxGraph } from '../onnx-graph.ts';

/** Axes as Relay writes them, and as ONNX does. */
interface Reduced {
  readonly attrs: Attrs;
  readonly axes: ReadonlyArray<number>;
  readonly keepdims: number;
}

function reduced(d: Draw, rank: number): Reduced {
  const keepdims = d.chance(0.5);
  const every = Array.from({ length: rank }, (_, i) => i);
  const kind = d.int(0, 3);
  if (kind === 0 || rank === 0) {
    return { attrs: { keepdims }, axes: every, keepdims: Number(keepdims) };
  }
  const some = d.subset(rank);
  const written = some.map((axis) => (d.chance(0.3) ? axis - rank : axis));
  const exclude = kind === 1 && some.length < rank;
  const axes = exclude ? every.filter((axis) => !some.includes(axis)) : some;
  const axis = written.length === 1 && d.chance(0.5) ? (written[0] ?? 0) : written;
  return { attrs: { axis, keepdims, exclude }, axes, keepdims: Number(keepdims) };
}

/** A reduction of exact numbers, so that the order of summation does not show. */
const reduction =
  (opType: string, dtypes: ReadonlyArray<DType>, numbers: Numbers = {}, ulps = 0): Mapping =>
  (d, g) => {
    const x = d.tensor(d.shape(), d.pick(dtypes), { ...numbers, extreme: isOrder(opType) });
    const { attrs, axes, keepdims } = reduced(d, x.shape.length);
    return { args: [x], attrs, result: reduce(g, opType, g.input(x), axes, keepdims), ulps };
  };

/** Whether the results are among the elements. */
const isOrder = (opType: string): boolean => opType === 'ReduceMax' || opType === 'ReduceMin';

/** In ONNX no axes mean all axes. */
const reduce = (
  g: OnnxGraph,
  opType: string,
  x: string,
  axes: ReadonlyArray<number>,
  keepdims: number,
): string =>
  axes.length === 0 ? g.node('Identity', [x]) : g.node(opType, [x, g.ints(axes)], { keepdims });

const ofBooleans =
  (opType: string): Mapping =>
  (d, g) => {
    const x = d.tensor(d.shape(), 'bool');
    const { attrs, axes, keepdims } = reduced(d, x.shape.length);
    const found = reduce(g, opType, g.cast(g.input(x), 'int32'), axes, keepdims);
    return { args: [x], attrs, result: g.cast(found, 'bool') };
  };

const placeOf =
  (opType: string): Mapping =>
  (d, g) => {
    const x = d.tensor(d.shape(1, 4), d.pick<DType>(['float32', 'float64', 'int32']), { step: 1 });
    const axis = d.int(-x.shape.length, x.shape.length - 1);
    const keepdims = d.chance(0.5);
    const last = d.chance(0.5);
    const places = g.node(opType, [g.input(x)], {
      axis,
      keepdims: Number(keepdims),
      select_last_index: Number(last),
    });
    const attrs = { axis, keepdims, select_last_index: last };
    return { args: [x], attrs, result: g.cast(places, 'int32') };
  };

/** A tensor to sum to: axes of size 1, and missing axes, are summed over. */
function collapsed(d: Draw): { readonly x: Tensor; readonly shape: ReadonlyArray<number> } {
  const x = d.tensor(d.shape(), 'float32');
  const shape = x.shape
    .map((size) => (d.chance(0.3) ? 1 : size))
    .slice(d.chance(0.3) ? d.int(0, x.shape.length) : 0);
  return { x, shape };
}

function sumTo(g: OnnxGraph, x: Tensor, shape: ReadonlyArray<number>): string {
  const lacking = x.shape.length - shape.length;
  const axes = x.shape.flatMap((size, axis) =>
    axis < lacking || shape[axis - lacking] !== size ? [axis] : [],
  );
  return g.node('Reshape', [reduce(g, 'ReduceSum', g.input(x), axes, 1), g.ints(shape)]);
}

/** Operators that combine the elements along axes. */
export const reductions: Mappings = {
  sum: reduction('ReduceSum', ['float32', 'float64', 'int32', 'int64']),
  mean: reduction('ReduceMean', ['float32', 'float64'], {}, 1),
  prod: reduction('ReduceProd', ['float32', 'int32', 'int64'], { step: 0.5, min: -2, max: 2 }, 1),
  max: reduction('ReduceMax', ['float32', 'float64', 'int32', 'int64', 'int8', 'uint8']),
  min: reduction('ReduceMin', ['float32', 'float64', 'int32', 'int64', 'int8', 'uint8']),
  all: ofBooleans('ReduceMin'),
  any: ofBooleans('ReduceMax'),
  argmax: placeOf('ArgMax'),
  argmin: placeOf('ArgMin'),
  variance: (d, g) => {
    const x = d.tensor(d.shape(1, 4), d.pick<DType>(['float32', 'float64']));
    const axes = d.subset(x.shape.length);
    const count = axes.reduce((size, axis) => size * (x.shape[axis] ?? 1), 1);
    const unbiased = count > 1 && d.chance(0.5);
    const keepdims = d.chance(0.5);
    const kept = x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
    const mean = d.tensor(kept, x.dtype);
    const off = g.node('Sub', [g.input(x), g.input(mean)]);
    const squares = reduce(g, 'ReduceSum', g.node('Mul', [off, off]), axes, Number(keepdims));
    const result = g.node('Div', [squares, g.scalar(count - Number(unbiased), x.dtype)]);
    return { args: [x, mean], attrs: { axis: axes, keepdims, unbiased }, result, ulps: 1 };
  },
  collapse_sum_like: (d, g) => {
    const { x, shape } = collapsed(d);
    return { args: [x, d.tensor(shape, 'float32')], result: sumTo(g, x, shape) };
  },
  collapse_sum_to: (d, g) => {
    const { x, shape } = collapsed(d);
    return { args: [x, d.shapeTensor(shape)], result: sumTo(g, x, shape) };
  },
  ndarray_size: (d, g) => {
    const x = d.tensor(d.shape(), 'float32');
    const dtype = d.pick<DType>(['int32', 'int64']);
    return { args: [x], attrs: { dtype }, result: g.cast(g.node('Size', [g.input(x)]), dtype) };
  },
  shape_of: (d, g) => {
    const x = d.tensor(d.shape(1, 4), 'float32');
    const dtype = d.pick<DType>(['int32', 'int64']);
    return { args: [x], attrs: { dtype }, result: g.cast(g.node('Shape', [g.input(x)]), dtype) };
  },
};
