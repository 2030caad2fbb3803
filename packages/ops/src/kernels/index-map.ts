/** Tensors whose elements are gathered from computed offsets. */
import {
  dense,
  type Memory,
  type NumberData,
  type Shape,
  shapeSize,
  type Tensor,
  tensor,
  zeros,
} from '@baton/tensor';

/**
 * A tensor of `shape` whose element at each index is the element of `x` at offset `placeOf(index)`
 * in row-major order, or 0 for a negative offset. The index is one array, which is reused.
 */
export function fromPlaces(
  x: Tensor,
  shape: Shape,
  memory: Memory,
  placeOf: (index: ReadonlyArray<number>, linear: number) => number,
): Tensor {
  // Both are storage of one type.
  const source = dense(x, memory).data as NumberData;
  const out = zeros(shape, x.dtype, memory).data as NumberData;
  forEachIndex(shape, (index, linear) => {
    const place = placeOf(index, linear);
    if (place >= 0) out[linear] = source[place] as number;
  });
  return tensor(out, shape, x.dtype);
}

export function forEachIndex(
  shape: Shape,
  visit: (index: ReadonlyArray<number>, linear: number) => void,
): void {
  const index = new Array<number>(shape.length).fill(0);
  const count = shapeSize(shape);
  for (let linear = 0; linear < count; linear++) {
    visit(index, linear);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const next = (index[axis] as number) + 1;
      index[axis] = next;
      if (next < (shape[axis] as number)) break;
      index[axis] = 0;
    }
  }
}
