/** Sorting along an axis. */
import {
  type DType,
  dense,
  fromNumbers,
  heap,
  type Memory,
  type NumberData,
  type Shape,
  shapeSize,
  type Tensor,
  type TensorData,
  tensor,
} from '@baton/tensor';
import { alongAxis } from './axis.ts';
import { loadDense } from './values.ts';

export interface Order {
  readonly places: Tensor;
  readonly values: Tensor;
}

/**
 * The first `count` elements of each row in ascending or descending order, and their indices in the
 * row. The sort is stable; NaN is last in both orders.
 *
 * **Complexity** a sort of each row along the axis.
 */
export function sortRows(
  x: Tensor,
  axis: number,
  ascending: boolean,
  count: number,
  placeType: DType,
  memory: Memory = heap,
): Order {
  const keys = loadDense(x, memory);
  const source = dense(x, memory).data;
  const { length, step, forEach } = alongAxis(x.shape, axis);
  const shape: Shape = x.shape.map((dim, i) => (i === axis ? count : dim));
  const values = memory.take(x.dtype, shapeSize(shape));
  const places = memory.take('float64', values.length);
  const order = memory.take('int32', length);
  forEach((start) => {
    for (let i = 0; i < length; i++) order[i] = i;
    order.sort(comparison(keys, start, step, ascending));
    const inner = start % step;
    const first = ((start - inner) / Math.max(length, 1)) * count + inner;
    for (let i = 0; i < count; i++) {
      const place = order[i] as number;
      places[first + i * step] = place;
      // Both are storage of one type.
      (values as NumberData)[first + i * step] = source[start + place * step] as number;
    }
  });
  return {
    places: fromNumbers(places, shape, placeType, memory),
    values: tensor(values, shape, x.dtype),
  };
}

/** Compares the indices `i` and `j` of a row, which makes the sort of typed arrays stable. */
function comparison(
  keys: TensorData,
  start: number,
  step: number,
  ascending: boolean,
): (i: number, j: number) => number {
  const sign = ascending ? -1 : 1;
  return (i, j) => {
    // Numbers and bigints compare alike.
    const a = keys[start + i * step] as number;
    const b = keys[start + j * step] as number;
    if (a < b) return sign;
    if (a > b) return -sign;
    // Equal, or one of them is NaN, which does not equal itself.
    const isLast = Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return isLast === 0 ? i - j : isLast;
  };
}
