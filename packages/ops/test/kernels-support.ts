/** Helpers for the tests of kernels: grid values, index walks, plain reads through strides. */
import {
  type DType,
  isBig,
  readBigInt,
  readNumber,
  reverseView,
  type Shape,
  shapeSize,
  type Tensor,
  tensor,
  transposeView,
} from '@baton/tensor';
import fc from 'fast-check';

export const SEED = 1_120_026;

/**
 * Eighths in [-8, 8], or integers: products and sums of these are exact, so results can be compared
 * bitwise.
 */
export const gridValues = (count: number, dtype: DType): fc.Arbitrary<number[]> => {
  const scale = dtype.includes('float') ? 8 : 1;
  const low = dtype.startsWith('u') || dtype === 'bool' ? 0 : -8 * scale;
  return fc.array(
    fc.integer({ min: low, max: 8 * scale }).map((k) => k / scale),
    { minLength: count, maxLength: count },
  );
};

/** A tensor of grid values in this shape, stored dense, transposed or reversed. */
export function gridTensor(shape: Shape, dtype: DType = 'float32'): fc.Arbitrary<Tensor> {
  const straight = gridValues(shapeSize(shape), dtype).map((list) => tensor(list, shape, dtype));
  return fc.oneof(
    { weight: 2, arbitrary: straight },
    {
      weight: 1,
      arbitrary: gridValues(shapeSize(shape), dtype).map((list) => {
        const backwards = shape.map((_, axis) => shape.length - 1 - axis);
        return transposeView(tensor(list, [...shape].reverse(), dtype), backwards);
      }),
    },
    { weight: 1, arbitrary: straight.map((t) => (shape.length > 0 ? reverseView(t, [0]) : t)) },
  );
}

export function indices(shape: Shape): number[][] {
  let list: number[][] = [[]];
  for (const dim of shape) {
    list = list.flatMap((index) => Array.from({ length: dim }, (_, i) => [...index, i]));
  }
  return list;
}

/** One element by its index, or `outside` if the index is out of range. */
export function at(t: Tensor, index: Shape, outside?: number): number {
  let linear = 0;
  for (let axis = 0; axis < t.shape.length; axis++) {
    const i = index[axis] as number;
    const dim = t.shape[axis] as number;
    if (i < 0 || i >= dim) {
      if (outside === undefined) throw new RangeError(`index ${index} of (${t.shape})`);
      return outside;
    }
    linear = linear * dim + i;
  }
  return readNumber(t, linear);
}

/** Like {@link at}, for a tensor that broadcasts to the index. */
export function atBroadcast(t: Tensor, index: Shape): number {
  const own = index.slice(index.length - t.shape.length);
  return at(
    t,
    own.map((i, axis) => (t.shape[axis] === 1 ? 0 : i)),
  );
}

/** The tensor with `value(index)` at each index. */
export function build(
  shape: Shape,
  dtype: DType,
  value: (index: number[]) => number | bigint,
): Tensor {
  return tensor(indices(shape).map(value), shape, dtype);
}

export const elements = (t: Tensor): (number | bigint)[] =>
  Array.from({ length: shapeSize(t.shape) }, (_, i) =>
    isBig(t.dtype) ? readBigInt(t, i) : readNumber(t, i),
  );

export const f32 = (values: ReadonlyArray<number>, shape: Shape = [values.length]): Tensor =>
  tensor(values, shape, 'float32');
