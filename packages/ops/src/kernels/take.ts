/** Gathers by indices along an axis. */
import { invariant } from '@baton/base';
import {
  dense,
  heap,
  type Memory,
  type NumberData,
  reshapeView,
  rowMajorStrides,
  shapeSize,
  type Tensor,
  type TensorData,
  tensor,
  toNumbers,
} from '@baton/tensor';
import { fromPlaces } from './index-map.ts';

/** Slices of data, along an axis or flattened, at indices. */
export interface Gathering {
  readonly axis: number | undefined;
  /** The number of leading axes that the data and the indices share. */
  readonly batch: number;
  /** Whether an index wraps modulo the axis; otherwise it is clamped. */
  readonly isWrapped: boolean;
}

/** **Shapes** x (batch…, lead…, n, rest…), indices (batch…, i…), result (batch…, lead…, i…, rest…). */
export function take(
  x: Tensor,
  indices: Tensor,
  { axis, batch, isWrapped }: Gathering,
  memory: Memory = heap,
): Tensor {
  if (axis === undefined) {
    const flat = reshapeView(x, [shapeSize(x.shape)], memory);
    return take(flat, indices, { axis: 0, batch: 0, isWrapped }, memory);
  }
  const source = dense(x, memory);
  const dim = x.shape[axis] as number;
  const [before, after] = [x.shape.slice(0, axis), x.shape.slice(axis + 1)];
  const own = indices.shape.slice(batch);
  const shape = [...before, ...own, ...after];
  const out = tensor(memory.take(x.dtype, shapeSize(shape)), shape, x.dtype);
  if (out.data.length === 0) return out;
  invariant(dim > 0, 'there is an element to take');
  const [row, count, lead] = [after, own, before.slice(batch)].map(shapeSize) as [
    number,
    number,
    number,
  ];
  const places = Array.from(toNumbers(indices, memory), (index) => placeOf(index, dim, isWrapped));
  let to = 0;
  for (let o = 0; o < shapeSize(before); o++) {
    const first = batch === 0 ? 0 : Math.floor(o / lead) * count;
    for (let i = first; i < first + count; i++) {
      const from = (o * dim + (places[i] as number)) * row;
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
  const numbers = toNumbers(indices, memory);
  return fromPlaces(x, indices.shape, memory, (index, linear) => {
    const along = numbers[linear] as number;
    const place = placeOf(along < 0 ? along + dim : along, dim, false);
    return strides.reduce(
      (at, stride, a) => at + stride * (a === axis ? place : (index[a] as number)),
      0,
    );
  });
}

const placeOf = (index: number, dim: number, isWrapped: boolean): number =>
  isWrapped ? ((index % dim) + dim) % dim : Math.min(Math.max(index, 0), dim - 1);

function copyRow(from: TensorData, start: number, end: number, to: TensorData, at: number): void {
  // Both are storage of one type, of numbers or bigints.
  const [source, target] = [from as NumberData, to as NumberData];
  if (end === start + 1) target[at] = source[start] as number;
  else target.set(source.subarray(start, end), at);
}
