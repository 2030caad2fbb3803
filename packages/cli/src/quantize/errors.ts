/** The errors of a quantized model's outputs. */
import { type Tensor, toNumbers } from '@baton/tensor';

/** The errors of all outputs, relative to the maximum of each. */
export interface Errors {
  readonly max: number;
  readonly mean: number;
  /** The share of rows of the first output whose maximum is at the same index. */
  readonly top1: number;
}

export type Pairs = ReadonlyArray<readonly [wanted: Tensor, found: Tensor]>;

export function errorsOf(samples: ReadonlyArray<Pairs>): Errors {
  let [max, sum, count, rows, same] = [0, 0, 0, 0, 0];
  for (const pairs of samples) {
    for (const [i, [wanted, found]] of pairs.entries()) {
      const [a, b] = [wanted, found].map((t) => Float64Array.from(toNumbers(t), Number)) as [
        Float64Array,
        Float64Array,
      ];
      const size = a.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
      a.forEach((x, at) => {
        const error = Math.abs(x - (b[at] ?? Number.NaN)) / size;
        max = Math.max(max, error);
        sum += error;
      });
      count += a.length;
      const width = wanted.shape.at(-1) ?? 1;
      for (let row = 0; i === 0 && row < a.length; row += width) {
        rows++;
        const [first, second] = [a, b].map((all) => greatestIn(all.subarray(row, row + width)));
        if (first === second) same++;
      }
    }
  }
  return { max, mean: sum / Math.max(count, 1), top1: same / Math.max(rows, 1) };
}

const greatestIn = (numbers: Float64Array): number =>
  numbers.reduce((best, x, i) => (x > (numbers[best] ?? 0) ? i : best), 0);
