/**
 * Sparse matrices: the nonzero elements row by row, each with its column (CSR), or blocks of them
 * (BSR). Row i has those from `starts[i]` up to `starts[i + 1]`.
 */
import { heap, type Memory, type Tensor, toNumbers } from '@baton/tensor';
import { finish, loadNumbers, numberBuffer } from './values.ts';

export interface Sparse {
  /** The elements, or (blocks, rows of one, columns of one), or (blocks, rows of one). */
  readonly data: Tensor;
  readonly columns: Tensor;
  readonly starts: Tensor;
}

export function forEachStored(
  { data, columns, starts }: Sparse,
  memory: Memory,
  visit: (row: number, column: number, value: number) => void,
): void {
  const [count = 0, high = 1, wide = 1] = data.shape;
  const values = loadNumbers(data, memory);
  const [of, from] = [toNumbers(columns, memory), toNumbers(starts, memory)];
  const inside = (at: number): number => Math.min(Math.max(at, 0), count);
  for (let row = 0; row + 1 < from.length; row++) {
    const end = inside(from[row + 1] as number);
    for (let e = inside(from[row] as number); e < end; e++) {
      for (let i = 0; i < high; i++) {
        for (let j = 0; j < wide; j++) {
          const value = values[(e * high + i) * wide + j] as number;
          visit(row * high + i, (of[e] as number) * wide + j, value);
        }
      }
    }
  }
}

/**
 * The product of each row of `x` with each row of a sparse matrix; columns out of range are
 * ignored.
 *
 * **Shapes** x (M, K), a sparse matrix (N, K), result (M, N), or (N, M) if it is first.
 *
 * **Complexity** M multiplications for each stored element.
 */
export function sparseDense(
  x: Tensor,
  sparse: Sparse,
  rows: number,
  isSparseFirst: boolean,
  memory: Memory = heap,
): Tensor {
  const [count = 0, width = 0] = x.shape;
  const numbers = loadNumbers(x, memory);
  const sums = memory.take('float64', count * rows).fill(0);
  const [ofX, ofRow] = isSparseFirst ? [1, count] : [rows, 1];
  forEachStored(sparse, memory, (row, column, value) => {
    if (column < 0 || column >= width || row >= rows) return;
    for (let m = 0; m < count; m++) {
      const at = m * ofX + row * ofRow;
      sums[at] = (sums[at] as number) + (numbers[m * width + column] as number) * value;
    }
  });
  const out = numberBuffer(x.dtype, sums.length, memory);
  out.set(sums);
  return finish(out, isSparseFirst ? [rows, count] : [count, rows], x.dtype, memory);
}

export function sparseAdd(x: Tensor, sparse: Sparse, memory: Memory = heap): Tensor {
  const [rows = 0, width = 0] = x.shape;
  const out = numberBuffer(x.dtype, rows * width, memory);
  out.set(loadNumbers(x, memory));
  forEachStored(sparse, memory, (row, column, value) => {
    if (row >= rows || column < 0 || column >= width) return;
    const at = row * width + column;
    out[at] = (out[at] as number) + value;
  });
  return finish(out, x.shape, x.dtype, memory);
}

/**
 * The transpose of a square sparse matrix: its elements column by column, each with its row.
 *
 * **Shapes** as of the matrix.
 */
export function sparseTranspose(
  sparse: Sparse,
  memory: Memory = heap,
): readonly [data: Tensor, rows: Tensor, starts: Tensor] {
  const { data, starts } = sparse;
  const [count = 0, rows = 1] = [data.shape[0], starts.shape[0]];
  const columns: { row: number; value: number }[][] = Array.from({ length: rows - 1 }, () => []);
  forEachStored(sparse, memory, (row, column, value) => columns[column]?.push({ row, value }));
  const out = numberBuffer(data.dtype, count, memory).fill(0);
  const of = memory.take('int32', count).fill(0);
  const from = memory.take('int32', rows).fill(0);
  let at = 0;
  columns.forEach((column, i) => {
    from[i] = at;
    for (const { row, value } of column) {
      of[at] = row;
      out[at++] = value;
    }
  });
  from[rows - 1] = at;
  return [
    finish(out, [count], data.dtype, memory),
    finish(of, [count], 'int32', memory),
    finish(from, [rows], 'int32', memory),
  ];
}
