/** Constant matrices with few elements that are not 0, as the blocks that have some. */
import type { Span } from '@baton/base';
import { constant, type Expr } from '@baton/ir';
import { type DType, fromNumbers, type Tensor, toNumbers } from '@baton/tensor';

export interface SparseOptions {
  /** The rows and columns of a block. @defaultValue [1, 1] */
  readonly blockSize?: readonly [rows: number, columns: number];
  /** The least share of a weight that is left out. @defaultValue 0.8 */
  readonly sparsityThreshold?: number;
}

/** The index in a weight of the matrix element at a row and a column. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly at: (row: number, column: number) => number;
}

/** The sparse form of a weight, or the reason why it has none. */
export type Sparse =
  | { readonly _tag: 'Blocks'; readonly args: ReadonlyArray<Expr> }
  | { readonly _tag: 'Kept'; readonly because: 'dense weight' | 'blocks do not fit' };

const THRESHOLD = 0.8;

/**
 * The blocks of a matrix that have an element other than 0, row by row: their elements, their
 * columns in blocks, and where each row of blocks begins.
 *
 * **Complexity** linear in the weight.
 */
export function sparseForm(
  weight: Tensor,
  { rows, columns, at }: Matrix,
  { blockSize: [high, wide] = [1, 1], sparsityThreshold = THRESHOLD }: SparseOptions,
  span: Span | undefined,
): Sparse {
  if (rows % high !== 0 || columns % wide !== 0) {
    return { _tag: 'Kept', because: 'blocks do not fit' };
  }
  const numbers = toNumbers(weight);
  const data: number[] = [];
  const places: number[] = [];
  const starts: number[] = [0];
  for (let row = 0; row < rows; row += high) {
    for (let column = 0; column < columns; column += wide) {
      const block: number[] = [];
      for (let i = 0; i < high; i++) {
        for (let j = 0; j < wide; j++) block.push(Number(numbers[at(row + i, column + j)]));
      }
      if (block.every((value) => value === 0)) continue;
      for (const value of block) data.push(value);
      places.push(column / wide);
    }
    starts.push(places.length);
  }
  const size = rows * columns;
  if (size === 0 || 1 - data.length / size < sparsityThreshold) {
    return { _tag: 'Kept', because: 'dense weight' };
  }
  const tensors = [
    fromNumbers(data, [places.length, high, wide], weight.dtype),
    vector(places, 'int32'),
    vector(starts, 'int32'),
  ];
  return { _tag: 'Blocks', args: tensors.map((value) => constant(value, span)) };
}

const vector = (values: ReadonlyArray<number>, dtype: DType): Tensor =>
  fromNumbers(values, [values.length], dtype);
