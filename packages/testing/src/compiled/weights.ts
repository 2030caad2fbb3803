/** Constants that are views of other tensors: transposed, sliced, reversed or broadcast. */
import {
  broadcastView,
  type DType,
  fromNumbers,
  reverseView,
  type Shape,
  shapeSize,
  sliceView,
  type Tensor,
  transposeView,
} from '@baton/tensor';
import type { Choices } from '../generate/random.ts';

/** Integers of absolute value at most `bound`, or tenths if `isFractional`; unsigned ones >= 0. */
export function drawn(
  shape: Shape,
  dtype: DType,
  bound: number,
  random: Choices,
  isFractional: boolean,
): Tensor {
  const parts = isFractional && dtype.startsWith('float') ? 10 : 1;
  const least = dtype === 'bool' || dtype.startsWith('uint') ? 0 : -bound * parts;
  const most = dtype === 'bool' ? 1 : bound * parts;
  const numbers = Array.from({ length: shapeSize(shape) }, () => random.int(least, most) / parts);
  return fromNumbers(numbers, shape, dtype);
}

export function viewOf(shape: Shape, make: (dims: Shape) => Tensor, random: Choices): Tensor {
  const axes = shape.map((_, axis) => axis);
  switch (random.int(0, 6)) {
    case 0: {
      const order = random.shuffle(axes);
      const before = axes.map((axis) => shape[order.indexOf(axis)] as number);
      return transposeView(make(before), order);
    }
    case 1: {
      const larger = shape.map((dim) => dim + random.int(0, 3));
      const begin = shape.map((dim, axis) => random.int(0, (larger[axis] as number) - dim));
      return sliceView(make(larger), begin, shape);
    }
    case 2:
      return reverseView(
        make(shape),
        axes.filter(() => random.chance(0.6)),
      );
    case 3:
      return broadcastView(make([]), shape);
    case 4:
      return broadcastView(make(shape.map((dim) => (random.chance(0.5) ? dim : 1))), shape);
    case 5:
      return sliceView(
        make(shape.map((dim) => 2 * dim)),
        shape.map(() => 1),
        shape,
        shape.map(() => 2),
      );
    default:
      return make(shape);
  }
}
