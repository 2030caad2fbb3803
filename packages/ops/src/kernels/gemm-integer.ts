/** Matrix products in wrapping integer arithmetic. They are rare, so the loops are plain. */
import type { BigData, NumberData } from '@baton/tensor';
import type { Matrix, Target } from './matrix.ts';

/** Sums and products modulo 2^32. */
export function multiplyInt32(a: Matrix, b: Matrix, target: Target): void {
  const x = a.data as NumberData;
  const y = b.data as NumberData;
  const out = target.data as NumberData;
  for (let i = 0; i < a.rows.length; i++) {
    const row = a.offset + (a.rows[i] as number);
    for (let j = 0; j < b.cols.length; j++) {
      const col = b.offset + (b.cols[j] as number);
      let sum = 0;
      for (let step = 0; step < a.cols.length; step++) {
        const left = x[row + (a.cols[step] as number)] as number;
        const right = y[col + (b.rows[step] as number)] as number;
        sum = (sum + Math.imul(left, right)) | 0;
      }
      out[target.offset + i * target.rowStride + j] = sum;
    }
  }
}

/** Exact sums and products, wrapped when they are stored. Either operand may hold numbers. */
export function multiplyBig(a: Matrix, b: Matrix, target: Target): void {
  const out = target.data as BigData;
  for (let i = 0; i < a.rows.length; i++) {
    const row = a.offset + (a.rows[i] as number);
    for (let j = 0; j < b.cols.length; j++) {
      const col = b.offset + (b.cols[j] as number);
      let sum = 0n;
      for (let step = 0; step < a.cols.length; step++) {
        const left = a.data[row + (a.cols[step] as number)] as number | bigint;
        const right = b.data[col + (b.rows[step] as number)] as number | bigint;
        sum += BigInt(left) * BigInt(right);
      }
      out[target.offset + i * target.rowStride + j] = sum;
    }
  }
}
