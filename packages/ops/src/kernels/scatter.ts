/** Scatters updates into data. */
import {
  heap,
  type Memory,
  rowMajorStrides,
  type Shape,
  shapeSize,
  type Tensor,
  type TensorData,
  toNumbers,
} from '@baton/tensor';
import { type Combine, combining } from './combine.ts';
import { gridOffsets } from './copy.ts';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/** How an element and its updates are combined; the mean counts the element itself. */
export type Reduction = Combine | 'mean';

/**
 * Combines each update with the element at its index along `axis`. Negative indices count from the
 * end; updates out of range are dropped.
 */
export function scatterElements(
  data: Tensor,
  indices: Tensor,
  updates: Tensor,
  axis: number,
  reduction: Reduction,
  memory: Memory = heap,
): Tensor {
  const strides = rowMajorStrides(data.shape);
  const dim = data.shape[axis] as number;
  const step = strides[axis] as number;
  // The target of each update, before its index is added.
  const bases = gridOffsets(
    indices.shape,
    strides.map((stride, i) => (i === axis ? 0 : stride)),
    memory,
  );
  const numbers = toNumbers(indices, memory);
  for (let i = 0; i < bases.length; i++) {
    const index = numbers[i] as number;
    const place = index < 0 ? index + dim : index;
    bases[i] = place < 0 || place >= dim ? -1 : (bases[i] as number) + place * step;
  }
  return joined(data, bases, updates, reduction, memory);
}

/**
 * Combines each update with the element, or the slice, at an index tuple (a column of indices).
 * Negative indices count from the end; updates out of range are dropped.
 *
 * **Shapes** indices (m, i…), updates (i…, rest…) for data (d1…dm, rest…).
 */
export function scatterNd(
  data: Tensor,
  indices: Tensor,
  updates: Tensor,
  reduction: Reduction,
  memory: Memory = heap,
): Tensor {
  const starts = sliceStarts(data.shape, indices, 0, memory);
  const size = shapeSize(data.shape.slice(indices.shape[0] as number));
  const places = memory.take('int32', starts.length * size);
  let to = 0;
  for (const start of starts) {
    for (let i = 0; i < size; i++) places[to++] = start < 0 ? -1 : start + i;
  }
  return joined(data, places, updates, reduction, memory);
}

/**
 * The offset in dense data of the slice at each index tuple, or −1 if an index is out of range. The
 * first `batch` axes of data and indices correspond.
 */
export function sliceStarts(
  shape: Shape,
  indices: Tensor,
  batch: number,
  memory: Memory,
): Int32Array {
  const strides = rowMajorStrides(shape);
  const numbers = toNumbers(indices, memory);
  const columns = indices.shape.slice(1);
  const starts = gridOffsets(
    columns,
    columns.map((_, axis) => (axis < batch ? (strides[axis] as number) : 0)),
    memory,
  );
  for (let row = 0; row < (indices.shape[0] as number); row++) {
    const dim = shape[batch + row] as number;
    const stride = strides[batch + row] as number;
    for (let i = 0; i < starts.length; i++) {
      const index = numbers[row * starts.length + i] as number;
      const place = index < 0 ? index + dim : index;
      const start = starts[i] as number;
      starts[i] = start < 0 || place < 0 || place >= dim ? -1 : start + place * stride;
    }
  }
  return starts;
}

function joined(
  data: Tensor,
  places: Int32Array,
  updates: Tensor,
  reduction: Reduction,
  memory: Memory,
): Tensor {
  const dtype = data.dtype;
  // All are storage of one type: numbers or bigints by the dtype; the loop is the same.
  const out = numberBuffer(dtype, shapeSize(data.shape), memory);
  out.set(loadNumbers(data, memory));
  const values = loadNumbers(updates, memory);
  const join = combining(reduction === 'mean' ? 'add' : reduction, dtype);
  places.forEach((place, i) => {
    if (place >= 0) out[place] = join(out[place] as number, values[i] as number);
  });
  if (reduction === 'mean') divideByCounts(out, places, memory);
  return finish(out, data.shape, dtype, memory);
}

function divideByCounts(out: TensorData, places: Int32Array, memory: Memory): void {
  const counts = memory.take('int32', out.length).fill(1);
  for (const place of places) if (place >= 0) counts[place] = (counts[place] as number) + 1;
  counts.forEach((count, i) => {
    if (count === 1) return;
    const sum = out[i] as number | bigint;
    if (typeof sum === 'bigint') out[i] = sum / BigInt(count);
    else out[i] = sum / count;
  });
}
