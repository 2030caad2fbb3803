/** Gathers by indices along an axis. */
import { invariant } from '@baton/base';
import {
  dense,
  heap,
  type Memory,
  reshapeView,
  rowMajorStrides,
  type Shape,
  shapeSize,
  type Tensor,
  type TensorData,
  tensor,
  toNumbers,
} from '@baton/tensor';

/**
 * How an index out of range is handled: `clip` clamps it (a negative one to 0), `wrap` wraps it.
 * `fast` promises that all are in range, negative ones counting from the end, and wraps all the
 * same.
 */
export type TakeMode = 'clip' | 'wrap' | 'fast';

/**
 * Slices of `x` along an axis; without an axis, elements of `x` flattened.
 *
 * **Shapes** x (before…, n, after…), indices (i…), result (before…, i…, after…).
 */
export function take(
  x: Tensor,
  indices: Tensor,
  axis: number | undefined,
  mode: TakeMode,
  memory: Memory = heap,
): Tensor {
  if (axis === undefined) {
    return take(reshapeView(x, [shapeSize(x.shape)], memory), indices, 0, mode, memory);
  }
  const source = dense(x, memory);
  const dim = x.shape[axis] as number;
  const before = x.shape.slice(0, axis);
  const after = x.shape.slice(axis + 1);
  const shape = [...before, ...indices.shape, ...after];
  const out = tensor(memory.take(x.dtype, shapeSize(shape)), shape, x.dtype);
  if (out.data.length === 0) return out;
  invariant(dim > 0, 'there is an element to take');
  const row = shapeSize(after);
  const places = Array.from(toNumbers(indices, memory), (index) => placeOf(index, dim, mode));
  let to = 0;
  for (let o = 0; o < shapeSize(before); o++) {
    for (const place of places) {
      const from = (o * dim + place) * row;
      copyRow(source.data, from, from + row, out.data, to);
      to += row;
    }
  }
  return out;
}

/**
 * Element (…, i, …) of the result is `x` at (…, indices[…, i, …], …): all other axes agree.
 * Negative indices count from the end, and all must be in range.
 */
export function gather(x: Tensor, indices: Tensor, axis: number, memory: Memory = heap): Tensor {
  const dim = x.shape[axis] as number;
  const strides = rowMajorStrides(x.shape);
  const source = dense(x, memory).data;
  const numbers = toNumbers(indices, memory);
  const out = memory.take(x.dtype, shapeSize(indices.shape));
  const index = new Array<number>(indices.shape.length).fill(0);
  for (let i = 0; i < numbers.length; i++) {
    const along = numbers[i] as number;
    const place = placeOf(along < 0 ? along + dim : along, dim, 'clip');
    let from = place * (strides[axis] as number);
    index.forEach((at, a) => {
      if (a !== axis) from += at * (strides[a] as number);
    });
    copyRow(source, from, from + 1, out, i);
    advance(index, indices.shape);
  }
  return tensor(out, indices.shape, x.dtype);
}

function placeOf(index: number, dim: number, mode: TakeMode): number {
  if (mode !== 'clip') return ((index % dim) + dim) % dim;
  return Math.min(Math.max(index, 0), dim - 1);
}

function copyRow(from: TensorData, start: number, end: number, to: TensorData, at: number): void {
  // Both are storage of one type.
  (to as Uint8Array).set((from as Uint8Array).subarray(start, end), at);
}

function advance(index: number[], shape: Shape): void {
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const next = (index[axis] as number) + 1;
    if (next < (shape[axis] as number)) {
      index[axis] = next;
      return;
    }
    index[axis] = 0;
  }
}
