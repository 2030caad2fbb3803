/** Running sums and products. */
import {
  type BigData,
  heap,
  isBig,
  type Memory,
  type NumberData,
  type Tensor,
} from '@baton/tensor';
import { type AxisRows, alongAxis } from './axis.ts';
import { bigCell, combineBigs, combineNumbers, numberCell } from './combine.ts';
import { finish, loadDense, resultBuffer } from './values.ts';

export interface ScanOptions {
  readonly axis: number;
  readonly combine: 'add' | 'mul';
  /** Whether each result excludes the element at its own index. */
  readonly exclusive: boolean;
}

/**
 * The sum or product of all elements up to each index along an axis.
 *
 * **Complexity** one step per element.
 */
export function scan(x: Tensor, options: ScanOptions, memory: Memory = heap): Tensor {
  const source = loadDense(x, memory);
  const out = resultBuffer(x.dtype, source.length, memory);
  const rows = alongAxis(x.shape, options.axis);
  // The dtype decides the storage of both.
  if (isBig(x.dtype)) scanBigs(x, source as BigData, out as BigData, rows, options);
  else scanNumbers(x, source as NumberData, out as NumberData, rows, options);
  return finish(out, x.shape, x.dtype, memory);
}

function scanNumbers(
  { dtype }: Tensor,
  source: NumberData,
  out: NumberData,
  { length, step, forEach }: AxisRows,
  { combine, exclusive }: ScanOptions,
): void {
  const join = combineNumbers(combine, dtype);
  const cell = numberCell(dtype);
  forEach((start) => {
    cell[0] = combine === 'add' ? 0 : 1;
    for (let i = start; i < start + length * step; i += step) {
      if (exclusive) out[i] = cell[0] as number;
      cell[0] = join(cell[0] as number, source[i] as number);
      if (!exclusive) out[i] = cell[0] as number;
    }
  });
}

function scanBigs(
  { dtype }: Tensor,
  source: BigData,
  out: BigData,
  { length, step, forEach }: AxisRows,
  { combine, exclusive }: ScanOptions,
): void {
  const join = combineBigs(combine);
  const cell = bigCell(dtype);
  forEach((start) => {
    cell[0] = combine === 'add' ? 0n : 1n;
    for (let i = start; i < start + length * step; i += step) {
      if (exclusive) out[i] = cell[0] as bigint;
      cell[0] = join(cell[0] as bigint, source[i] as bigint);
      if (!exclusive) out[i] = cell[0] as bigint;
    }
  });
}
