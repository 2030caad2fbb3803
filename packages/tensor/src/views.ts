/**
 * Views: new tensors on the same storage, without copying elements. Type relations have checked the
 * arguments: a mismatch is a bug in Baton, and throws an InvariantError.
 */
import { invariant } from '@baton/base';
import { rowMajorStrides, type Shape, sameShape, shapeSize } from './shape.ts';
import { heap, type Memory } from './storage.ts';
import { dense } from './strided.ts';
import { isTensor, type Tensor, view } from './tensor.ts';

/**
 * The same elements, in row-major order, in another shape.
 *
 * **Complexity** O(rank) if the strides allow it; otherwise one copy.
 */
export function reshapeView(t: Tensor, shape: Shape, memory: Memory = heap): Tensor {
  invariant(shapeSize(shape) === shapeSize(t.shape), 'a reshape keeps the number of elements');
  if (sameShape(shape, t.shape)) return t;
  const strides = stridesInShape(t, shape);
  if (strides !== undefined) return view(t.data, t.dtype, shape, strides, t.offset);
  const { data } = dense(t, memory);
  return view(data, t.dtype, shape, rowMajorStrides(shape), 0);
}

/** Strided storage: along axis i, element k is `k * strides[i]` after the first. */
export interface Strided {
  readonly shape: Shape;
  readonly strides: Shape;
  readonly offset: number;
}

/** A view of the same storage. */
export const laid = <T extends Strided>(
  t: T,
  shape: Shape,
  strides: Shape,
  offset: number = t.offset,
): T =>
  // A tensor may be an instance of a class, whose fields a spread would lose.
  isTensor(t)
    ? (view(t.data, t.dtype, shape, strides, offset) as Strided as T)
    : { ...t, shape, strides, offset };

/** Axis i of the result is axis `axes[i]` of `t`. */
export function transposeView<T extends Strided>(t: T, axes: Shape): T {
  invariant(
    axes.length === t.shape.length && new Set(axes).size === axes.length,
    'a transpose permutes all axes',
  );
  const shape = axes.map((axis) => sizeOf(t, axis));
  return laid(
    t,
    shape,
    axes.map((axis) => strideOf(t, axis)),
  );
}

/** A slice: on axis i the indices `begin[i] + k * strides[i]`, `k < size[i]`; default stride 1. */
export function sliceView<T extends Strided>(t: T, begin: Shape, size: Shape, strides?: Shape): T {
  invariant(
    begin.length === t.shape.length && size.length === t.shape.length,
    'a slice names every axis',
  );
  const empty = size.includes(0);
  let offset = t.offset;
  const steps = t.shape.map((dim, axis) => {
    const first = begin[axis] as number;
    const step = strides?.[axis] ?? 1;
    const last = first + ((size[axis] as number) - 1) * step;
    invariant(empty || (inside(first, dim) && inside(last, dim)), 'a slice lies within its tensor');
    if (!empty) offset += first * strideOf(t, axis);
    return step * strideOf(t, axis);
  });
  return laid(t, size, steps, offset);
}

/** The tensor broadcast to a larger shape, as in NumPy: broadcast axes have stride 0. */
export function broadcastView<T extends Strided>(t: T, shape: Shape): T {
  if (sameShape(shape, t.shape)) return t;
  const added = shape.length - t.shape.length;
  const strides = shape.map((dim, axis) => {
    if (axis < added) return 0;
    const own = sizeOf(t, axis - added);
    invariant(own === dim || own === 1, 'a tensor broadcasts to the shape');
    return own === dim ? strideOf(t, axis - added) : 0;
  });
  invariant(added >= 0, 'a broadcast keeps all axes');
  return laid(t, shape, strides);
}

/** Inserts `count` axes of size 1 before axis `axis` (0 to rank). */
export function expandDims(t: Tensor, axis: number, count = 1): Tensor {
  invariant(axis >= 0 && axis <= t.shape.length, 'a new axis lies within the rank');
  const insert = (list: Shape, value: number) => [
    ...list.slice(0, axis),
    ...new Array<number>(count).fill(value),
    ...list.slice(axis),
  ];
  return view(t.data, t.dtype, insert(t.shape, 1), insert(t.strides, 0), t.offset);
}

/** Removes these axes, each of size 1. Default: all axes of size 1. */
export function squeeze(t: Tensor, axes?: Shape): Tensor {
  const dropped = new Set(axes ?? t.shape.flatMap((dim, axis) => (dim === 1 ? [axis] : [])));
  for (const axis of dropped) invariant(sizeOf(t, axis) === 1, 'a squeezed axis has size 1');
  const keep = (_: number, axis: number) => !dropped.has(axis);
  return view(t.data, t.dtype, t.shape.filter(keep), t.strides.filter(keep), t.offset);
}

export function reverseView(t: Tensor, axes: Shape): Tensor {
  const reversed = new Set(axes);
  return sliceView(
    t,
    t.shape.map((dim, axis) => (reversed.has(axis) && dim > 0 ? dim - 1 : 0)),
    t.shape,
    t.shape.map((_, axis) => (reversed.has(axis) ? -1 : 1)),
  );
}

/**
 * The strides of `t` in another shape, if there are any: both shapes are split into the shortest
 * runs of equal size, and within a run the old axes must step evenly.
 */
export function stridesInShape(t: Strided, shape: Shape): number[] | undefined {
  if (shapeSize(shape) === 0) return rowMajorStrides(shape);
  const dims = t.shape.filter((dim) => dim !== 1);
  const steps = t.strides.filter((_, axis) => t.shape[axis] !== 1);
  const result = new Array<number>(shape.length).fill(0);
  let from = 0;
  let to = 0;
  while (from < dims.length) {
    let oldSize = dims[from] as number;
    let oldEnd = from + 1;
    let newSize = 1;
    let newEnd = to;
    while (newSize !== oldSize || newEnd === to) {
      if (newSize < oldSize || newEnd === to) newSize *= shape[newEnd++] as number;
      else oldSize *= dims[oldEnd++] as number;
    }
    for (let axis = from; axis < oldEnd - 1; axis++) {
      const even = (steps[axis + 1] as number) * (dims[axis + 1] as number);
      if (steps[axis] !== even) return undefined;
    }
    let step = steps[oldEnd - 1] as number;
    for (let axis = newEnd - 1; axis >= to; axis--) {
      result[axis] = step;
      step *= shape[axis] as number;
    }
    from = oldEnd;
    to = newEnd;
  }
  return result;
}

const inside = (index: number, dim: number): boolean => index >= 0 && index < dim;
const sizeOf = (t: Strided, axis: number): number => t.shape[axis] as number;
const strideOf = (t: Strided, axis: number): number => t.strides[axis] as number;
