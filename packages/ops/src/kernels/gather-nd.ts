/**
 * Slices of the data, one for each index tuple (a column of indices). Negative indices count from
 * the end; an index out of range yields a slice of zeros.
 *
 * **Shapes** indices (m, b…, i…) for data (b…, d1…dm, rest…): (b…, i…, rest…).
 */
import {
  dense,
  heap,
  type Memory,
  type NumberData,
  type Shape,
  shapeSize,
  type Tensor,
  tensor,
  zeros,
} from '@baton/tensor';
import { sliceStarts } from './scatter.ts';

export function gatherNd(
  data: Tensor,
  indices: Tensor,
  batch: number,
  shape: Shape,
  memory: Memory = heap,
): Tensor {
  const starts = sliceStarts(data.shape, indices, batch, memory);
  const size = shapeSize(data.shape.slice(batch + (indices.shape[0] as number)));
  // Both are storage of one type.
  const source = dense(data, memory).data as NumberData;
  const out = zeros(shape, data.dtype, memory).data as NumberData;
  starts.forEach((start, i) => {
    if (start >= 0) out.set(source.subarray(start, start + size), i * size);
  });
  return tensor(out, shape, data.dtype);
}
