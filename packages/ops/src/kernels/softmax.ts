/** Exponentials along an axis, divided by their sum. */
import { heap, type Memory, type NumberData, type Tensor } from '@baton/tensor';
import type { Share } from '../scalar/exponentials.ts';
import type { Scalar } from '../scalar/expr.ts';
import { alongAxis } from './axis.ts';
import { elementFunction } from './loops.ts';
import { finish, loadNumbers, numberBuffer } from './values.ts';

export interface Shares {
  readonly axis: number;
  /** Of an element and the maximum of its row. */
  readonly term: Scalar;
  readonly share: Share;
}

/** For floats. */
export function softmax(x: Tensor, { axis, term, share }: Shares, memory: Memory = heap): Tensor {
  const { shape, dtype } = x;
  const data = loadNumbers(x, memory);
  const out = numberBuffer(dtype, data.length, memory);
  const { length, step, forEach } = alongAxis(shape, axis);
  const [termOf, shareOf] = [elementFunction(term, dtype), elementFunction(share.value, dtype)];
  forEach((start) => {
    const end = start + length * step;
    const peak = greatest(data, start, end, step);
    let total = 0;
    for (let i = start; i < end; i += step) total += termOf(data[i] as number, peak);
    for (let i = start; i < end; i += step) {
      const value = data[i] as number;
      out[i] = shareOf(share.of === 'term' ? termOf(value, peak) : value, peak, total);
    }
  });
  return finish(out, shape, dtype, memory);
}

function greatest(data: NumberData, start: number, end: number, step: number): number {
  let peak = Number.NEGATIVE_INFINITY;
  for (let i = start; i < end; i += step) peak = Math.max(peak, data[i] as number);
  return peak;
}
