/** Strided copies. */
import {
  collapseLoops,
  forEachRow,
  heap,
  type Memory,
  type NumberData,
  type Shape,
  shapeSize,
  type Tensor,
  type TensorData,
} from '@baton/tensor';

/**
 * Writes the elements of `source` into storage of the same kind, at `offset` with these strides.
 *
 * **Complexity** one step per element; rows that are contiguous on both sides, and rows of one
 * element, are copied in bulk.
 */
export function copyInto(source: Tensor, target: TensorData, offset: number, strides: Shape): void {
  const nest = collapseLoops(source.shape, [source.strides, strides]);
  const last = nest.shape.length - 1;
  const length = nest.shape[last] as number;
  const read = nest.strides[0]?.[last] as number;
  const write = nest.strides[1]?.[last] as number;
  // Both sides have one element type: the loop is the same for numbers and bigints.
  const from = source.data as NumberData;
  const to = target as NumberData;
  forEachRow(nest, [source.offset, offset], (starts) => {
    let i = starts[0] as number;
    let o = starts[1] as number;
    if (read === 1 && write === 1) {
      to.set(from.subarray(i, i + length), o);
      return;
    }
    if (read === 0 && write === 1) {
      to.fill(from[i] as number, o, o + length);
      return;
    }
    for (let n = 0; n < length; n++) {
      to[o] = from[i] as number;
      i += read;
      o += write;
    }
  });
}

/** The offset of every element of a grid, in row-major order: the last axis runs fastest. */
export function gridOffsets(dims: Shape, strides: Shape, memory: Memory = heap): Int32Array {
  const offsets = memory.take('int32', shapeSize(dims));
  offsets[0] = 0;
  let count = 1;
  dims.forEach((dim, axis) => {
    const step = strides[axis] as number;
    // Backwards, so that no offset is overwritten before its row is made.
    for (let from = count - 1; from >= 0; from--) {
      const base = offsets[from] as number;
      for (let i = dim - 1; i >= 0; i--) offsets[from * dim + i] = base + i * step;
    }
    count *= dim;
  });
  return offsets;
}
