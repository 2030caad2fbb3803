/** Softmax and its logarithm. */
import { heap, type Memory, type NumberData, type Tensor } from '@baton/tensor';
import { alongAxis } from './axis.ts';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/** e^(x − max) / Σ e^(x − max) along an axis, for floats. */
export function softmax(x: Tensor, axis: number, memory: Memory = heap): Tensor {
  return eachRow(x, axis, memory, (row, peak, total) => Math.exp(row - peak) / total);
}

/** x − max − log Σ e^(x − max) along an axis, for floats. */
export function logSoftmax(x: Tensor, axis: number, memory: Memory = heap): Tensor {
  return eachRow(x, axis, memory, (row, peak, total) => row - peak - Math.log(total));
}

function eachRow(
  x: Tensor,
  axis: number,
  memory: Memory,
  apply: (value: number, peak: number, total: number) => number,
): Tensor {
  const data = loadNumbers(x, memory);
  const out = numberBuffer(x.dtype, data.length, memory);
  const { length, step, forEach } = alongAxis(x.shape, axis);
  forEach((start) => {
    const end = start + length * step;
    const peak = greatest(data, start, end, step);
    let total = 0;
    for (let i = start; i < end; i += step) total += Math.exp((data[i] as number) - peak);
    for (let i = start; i < end; i += step) out[i] = apply(data[i] as number, peak, total);
  });
  return finish(out, x.shape, x.dtype, memory);
}

function greatest(data: NumberData, start: number, end: number, step: number): number {
  let peak = Number.NEGATIVE_INFINITY;
  for (let i = start; i < end; i += step) peak = Math.max(peak, data[i] as number);
  return peak;
}
