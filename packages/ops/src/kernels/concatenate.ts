/** Concatenates tensors along an axis. */
import {
  broadcastView,
  expandDims,
  heap,
  type Memory,
  rowMajorStrides,
  type Shape,
  SPLAT_THRESHOLD,
  shapeSize,
  sliceView,
  type Tensor,
  tensor,
} from '@baton/tensor';
import { copyInto } from './copy.ts';

/**
 * Concatenates one or more tensors, alike in dtype and all other axes. If the parts of a large
 * result repeat their elements along another axis, as splats do, it stores them once.
 */
export function concatenate(
  parts: ReadonlyArray<Tensor>,
  axis: number,
  memory: Memory = heap,
): Tensor {
  const [first] = parts as readonly [Tensor, ...Tensor[]];
  const along = parts.reduce((sum, t) => sum + (t.shape[axis] as number), 0);
  const shape = first.shape.map((dim, a) => (a === axis ? along : dim));
  const repeated = shape.map(
    (dim, a) => a !== axis && dim > 1 && parts.every((t) => t.strides[a] === 0),
  );
  if (shapeSize(shape) >= SPLAT_THRESHOLD && repeated.includes(true)) {
    const start = shape.map(() => 0);
    const sizeOf = (t: Tensor): Shape => t.shape.map((dim, a) => (repeated[a] ? 1 : dim));
    const once = parts.map((t) => sliceView(t, start, sizeOf(t)));
    return broadcastView(concatenate(once, axis, memory), shape);
  }
  const out = memory.take(first.dtype, shapeSize(shape));
  const strides = rowMajorStrides(shape);
  let offset = 0;
  for (const part of parts) {
    copyInto(part, out, offset, strides);
    offset += (part.shape[axis] as number) * (strides[axis] as number);
  }
  return tensor(out, shape, first.dtype);
}

export const stack = (parts: ReadonlyArray<Tensor>, axis: number, memory: Memory = heap): Tensor =>
  concatenate(
    parts.map((t) => expandDims(t, axis)),
    axis,
    memory,
  );
