/** Running sums and products. */
import {
  heap,
  isBig,
  type Memory,
  type NumberData,
  reshapeView,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import { alongAxis } from './axis.ts';
import { cellOf, combining } from './combine.ts';
import { finish, loadDense, numberBuffer } from './values.ts';

/** How an element is combined with those before it. */
export interface Scanning {
  /** `undefined` for the flattened data. */
  readonly axis: number | undefined;
  readonly combine: 'add' | 'mul';
  /** Whether each result excludes the element at its own index. */
  readonly exclusive: boolean;
}

/**
 * The sum or product of all elements up to each index along an axis.
 *
 * **Complexity** one step per element.
 */
export function scan(
  x: Tensor,
  { axis, combine, exclusive }: Scanning,
  memory: Memory = heap,
): Tensor {
  if (axis === undefined) {
    const flat = reshapeView(x, [shapeSize(x.shape)], memory);
    return scan(flat, { axis: 0, combine, exclusive }, memory);
  }
  const { shape, dtype } = x;
  // Numbers or bigints by the dtype; the loop is the same.
  const source = loadDense(x, memory) as NumberData;
  const out = numberBuffer(dtype, source.length, memory);
  const { length, step, forEach } = alongAxis(shape, axis);
  const join = combining(combine, dtype);
  const cell = cellOf(dtype);
  const neutral = combine === 'add' ? 0 : 1;
  const first = (isBig(dtype) ? BigInt(neutral) : neutral) as number;
  forEach((start) => {
    cell[0] = first;
    for (let i = start; i < start + length * step; i += step) {
      if (exclusive) out[i] = cell[0] as number;
      cell[0] = join(cell[0] as number, source[i] as number);
      if (!exclusive) out[i] = cell[0] as number;
    }
  });
  return finish(out, shape, dtype, memory);
}
