/** Views of sliding windows. */
import { laid, type Shape, type Strided } from '@baton/tensor';
import type { Windows } from '../kernels/pool.ts';

/** A view of each window of the last axes: (…, counts…, sizes…). */
export function windowsView<T extends Strided>(
  t: T,
  { counts, sizes, strides, dilation }: Windows,
): T {
  const rank = t.shape.length - counts.length;
  const steps = t.strides.slice(rank);
  const scaled = (factors: Shape): number[] =>
    steps.map((step, i) => step * (factors[i] as number));
  return laid(
    t,
    [...t.shape.slice(0, rank), ...counts, ...sizes],
    [...t.strides.slice(0, rank), ...scaled(strides), ...scaled(dilation)],
  );
}
