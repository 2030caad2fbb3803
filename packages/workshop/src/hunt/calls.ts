/** Nodes with their result types, written as the operator set of the graph demands. */
import { elementNumber } from '@baton/onnx';
import { type DType, isFloat, tensor } from '@baton/tensor';
import {
  type Builder,
  computed,
  type Dim,
  dimAt,
  known,
  like,
  sameDim,
  type Val,
} from './builder.ts';

/** A node that keeps shape and dtype. */
export const unary = (b: Builder, op: string, x: Val, most: number = x.most): Val =>
  b.node(op, [x], like(x, most));

/** The shape of two broadcast operands; `undefined` if they do not fit. */
export function broadcast(
  a: ReadonlyArray<Dim>,
  c: ReadonlyArray<Dim>,
): ReadonlyArray<Dim> | undefined {
  const rank = Math.max(a.length, c.length);
  const dims: Dim[] = [];
  for (let i = -rank; i < 0; i++) {
    const [p, q] = [a.at(a.length + i) ?? known(1), c.at(c.length + i) ?? known(1)];
    const [left, right] = [a.length + i < 0 ? known(1) : p, c.length + i < 0 ? known(1) : q];
    if (isOne(left)) dims.push(right);
    else if (isOne(right) || sameDim(left, right)) dims.push(left);
    else return undefined;
  }
  return dims;
}

const isOne = (dim: Dim): boolean => !dim.isOpen && dim.sizes[0] === 1;

const BOUNDS: Readonly<Record<string, (a: number, b: number) => number>> = {
  Add: (a, b) => a + b,
  Sub: (a, b) => a + b,
  Mul: (a, b) => a * b,
};

/** An elementwise node of two operands of one dtype. */
export function binary(b: Builder, op: string, x: Val, y: Val, dtype: DType = x.dtype): Val {
  const dims = broadcast(x.dims, y.dims);
  if (dims === undefined) throw new Error(`${op}: operands do not fit`);
  const most = (BOUNDS[op] ?? Math.max)(x.most, y.most);
  return b.node(op, [x, y], { dtype, dims, most });
}

export const withScalar = (b: Builder, op: string, x: Val, value: number): Val => {
  const y = b.scalar(value, x.dtype);
  return binary(b, op, x, { ...y, most: Math.abs(value) });
};

/** A division whose bound is stated: a denominator may be small. */
export const divide = (b: Builder, x: Val, y: Val, most: number): Val => ({
  ...binary(b, 'Div', x, y),
  most,
});

export const compare = (b: Builder, op: string, x: Val, y: Val): Val => ({
  ...binary(b, op, x, y, 'bool'),
  most: 1,
});

export const cast = (b: Builder, x: Val, dtype: DType): Val =>
  b.node(
    'Cast',
    [x],
    { dtype, dims: x.dims, most: dtype === 'bool' ? 1 : x.most },
    { to: elementNumber(dtype) },
  );

export const transpose = (b: Builder, x: Val, perm: ReadonlyArray<number>): Val =>
  b.node('Transpose', [x], { ...like(x), dims: perm.map((axis) => dimAt(x, axis)) }, { perm });

export function unsqueeze(b: Builder, x: Val, ...axes: ReadonlyArray<number>): Val {
  const dims = [...x.dims];
  for (const axis of [...axes].sort((a, c) => a - c)) dims.splice(axis, 0, known(1));
  return b.opset < 13
    ? b.node('Unsqueeze', [x], { ...like(x), dims }, { axes })
    : b.node('Unsqueeze', [x, b.ints(...axes)], { ...like(x), dims });
}

export function squeeze(b: Builder, x: Val, ...axes: ReadonlyArray<number>): Val {
  const gone = axes.map((axis) => (axis + x.dims.length) % x.dims.length);
  const dims = x.dims.filter((_, i) => !gone.includes(i));
  return b.opset < 13
    ? b.node('Squeeze', [x], { ...like(x), dims }, { axes })
    : b.node('Squeeze', [x, b.ints(...axes)], { ...like(x), dims });
}

/** A reduction over axes, with its bound. */
export function reduce(
  b: Builder,
  op: string,
  x: Val,
  axes: ReadonlyArray<number>,
  keep = true,
): Val {
  const gone = axes.map((axis) => (axis + x.dims.length) % x.dims.length);
  const dims = x.dims.flatMap((dim, i) => (gone.includes(i) ? (keep ? [known(1)] : []) : [dim]));
  const count = gone.reduce((product, axis) => product * Math.max(...dimAt(x, axis).sizes), 1);
  const grows = op === 'ReduceSum' || op === 'ReduceL2';
  const type = { dtype: x.dtype, dims, most: grows ? x.most * count : x.most };
  const keepdims = keep ? 1 : 0;
  const takesInput = b.opset >= (op === 'ReduceSum' ? 13 : 18);
  return takesInput
    ? b.node(op, [x, b.ints(...axes)], type, { keepdims })
    : b.node(op, [x], type, { keepdims, axes });
}

/** A slice of one axis; the resulting dimension is stated by the caller. */
export function slice(
  b: Builder,
  x: Val,
  axis: number,
  [start, end, step = 1]: readonly [Val | number, Val | number, number?],
  dim: Dim,
): Val {
  const at = (axis + x.dims.length) % x.dims.length;
  const dims = x.dims.map((old, i) => (i === at ? dim : old));
  const value = (bound: Val | number): Val => (typeof bound === 'number' ? b.ints(bound) : bound);
  if (b.opset < 10) {
    if (typeof start !== 'number' || typeof end !== 'number' || step !== 1) return x;
    return b.node(
      'Slice',
      [x],
      { ...like(x), dims },
      { axes: [axis], starts: [start], ends: [end] },
    );
  }
  const operands = [
    x,
    value(start),
    value(end),
    b.ints(axis),
    ...(step === 1 ? [] : [b.ints(step)]),
  ];
  return b.node('Slice', operands, { ...like(x), dims });
}

/** Limits of floats, as attributes before set 11. */
export function clip(b: Builder, x: Val, low: number, high: number): Val {
  const type = like(x, Math.max(Math.abs(low), Math.abs(high)));
  if (b.opset < 11) return b.node('Clip', [x], type, { min: { float: low }, max: { float: high } });
  return b.node('Clip', [x, b.scalar(low, x.dtype), b.scalar(high, x.dtype)], type);
}

/** Parts of an axis of known size; an unused part may have no name. */
export function split(
  b: Builder,
  x: Val,
  axis: number,
  sizes: ReadonlyArray<number>,
  isUsed: (part: number) => boolean = () => true,
): ReadonlyArray<Val | undefined> {
  const at = (axis + x.dims.length) % x.dims.length;
  const types = sizes.map((size, part) =>
    isUsed(part)
      ? { ...like(x), dims: x.dims.map((dim, i) => (i === at ? known(size) : dim)) }
      : undefined,
  );
  return b.opset < 13
    ? b.nodes('Split', [x], types, { axis, split: sizes })
    : b.nodes('Split', [x, b.ints(...sizes)], types, { axis });
}

/** A reshape to a constant shape; `dims` is the type of the result. */
export const reshape = (
  b: Builder,
  x: Val,
  target: ReadonlyArray<number>,
  dims: ReadonlyArray<Dim>,
): Val => b.node('Reshape', [x, b.ints(...target)], { ...like(x), dims });

export function matmul(b: Builder, x: Val, y: Val): Val {
  const batch = broadcast(x.dims.slice(0, -2), y.dims.slice(0, -2));
  if (batch === undefined) throw new Error('MatMul: batches do not fit');
  const inner = Math.max(...dimAt(x, -1).sizes);
  const dims = [...batch, dimAt(x, -2), dimAt(y, -1)];
  return b.node('MatMul', [x, y], { dtype: x.dtype, dims, most: x.most * y.most * inner });
}

export const softmax = (b: Builder, x: Val): Val =>
  b.node('Softmax', [x], like(x, 1), { axis: b.opset < 13 ? x.dims.length - 1 : -1 });

/** A concatenation; the other axes agree. */
export function concat(b: Builder, parts: ReadonlyArray<Val>, axis: number): Val {
  const [first] = parts;
  if (first === undefined) throw new Error('Concat of nothing');
  const at = (axis + first.dims.length) % first.dims.length;
  const whole = computed(
    (...sizes) => sizes.reduce((a, c) => a + c, 0),
    ...parts.map((part) => dimAt(part, at)),
  );
  const dims = first.dims.map((dim, i) => (i === at ? whole : dim));
  return b.node(
    'Concat',
    parts,
    { ...like(first, Math.max(...parts.map(({ most }) => most))), dims },
    { axis },
  );
}

/** The shape of a value, as int64. */
export const shapeOf = (b: Builder, x: Val): Val =>
  b.node('Shape', [x], { dtype: 'int64', dims: [known(x.dims.length)], most: 100 });

/** One size of a value as an exporter reads it: a scalar, or a list of one. */
export function sizeAt(b: Builder, x: Val, axis: number, isList: boolean): Val {
  const sizes = shapeOf(b, x);
  const index = isList ? b.ints(axis) : b.scalar(axis, 'int64');
  const dims = isList ? [known(1)] : [];
  return b.node('Gather', [sizes, index], { dtype: 'int64', dims, most: 100 }, { axis: 0 });
}

/** A fresh weight whose products with `inner` terms stay near 1. */
export const factor = (
  b: Builder,
  dtype: DType,
  sizes: ReadonlyArray<number>,
  inner: number,
): Val => {
  const most = 1.5 / Math.sqrt(inner);
  return b.weight(dtype, sizes, { low: -most, high: most });
};

/** A value scaled to a moderate range, if it may be large. */
export function tamed(b: Builder, x: Val): Val {
  if (!isFloat(x.dtype) || x.most <= (x.dtype === 'float16' ? 30 : 1000)) return x;
  return b.draw.chance(0.5) ? unary(b, 'Tanh', x, 1) : clip(b, x, -6, 6);
}

export const floats = (b: Builder, values: ReadonlyArray<number>, dtype: DType): Val =>
  b.constant(tensor(values, [values.length], dtype));
