/**
 * The insertion index of each value in a sorted row: the number of elements below it, or not above
 * it.
 *
 * **Shapes** rows (n), or (batch…, n) for values (batch…, m).
 */
import { type DType, fromNumbers, heap, type Memory, type Tensor } from '@baton/tensor';
import { loadDense } from './values.ts';

export function searchSorted(
  rows: Tensor,
  values: Tensor,
  isRight: boolean,
  dtype: DType,
  memory: Memory = heap,
): Tensor {
  const length = rows.shape[rows.shape.length - 1] as number;
  const perRow = rows.shape.length === 1 ? 0 : (values.shape[values.shape.length - 1] as number);
  const [sorted, wanted] = [loadDense(rows, memory), loadDense(values, memory)];
  const places = memory.take('float64', wanted.length);
  for (let i = 0; i < wanted.length; i++) {
    // Numbers and bigints compare alike.
    const value = wanted[i] as number;
    const start = perRow === 0 ? 0 : Math.floor(i / perRow) * length;
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const element = sorted[start + middle] as number;
      if (element < value || (isRight && element === value)) low = middle + 1;
      else high = middle;
    }
    places[i] = low;
  }
  return fromNumbers(places, values.shape, dtype, memory);
}
