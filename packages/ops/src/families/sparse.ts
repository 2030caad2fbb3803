/**
 * Operators on a sparse matrix stored as three tensors: its elements or blocks, their columns, and
 * rows.
 */
import { type Dim, multiplyDims, type RelationContext, subtractDims, type Type } from '@baton/ir';
import { fromNumbers, type Tensor } from '@baton/tensor';
import { badExtent } from '../diagnostics.ts';
import type { KernelArgs } from '../kernel.ts';
import type { Sparse } from '../kernels/sparse.ts';
import {
  hasRank,
  hasShape,
  inDomain,
  type KnownTensor,
  report,
  tensorArg,
} from '../relation/known.ts';

export const SPARSE_INPUTS = ['sparse_data', 'sparse_indices', 'sparse_indptr'] as const;

export interface SparseType {
  readonly data: KnownTensor;
  /** Its rows, or the rows of blocks times their rows. */
  readonly rows: Dim;
}

/** The sparse matrix in the arguments from `first` on; its data must have one of these ranks. */
export function sparseType(
  args: ReadonlyArray<Type>,
  first: number,
  ranks: ReadonlyArray<number>,
  context: RelationContext,
): SparseType | undefined {
  const [data, columns, starts] = [0, 1, 2].map((i) => tensorArg(args, first + i, context));
  if (data === undefined || columns === undefined || starts === undefined) return undefined;
  if (!hasRank(data, '`sparse_data`', ranks, context)) return undefined;
  if (!inDomain(data.dtype, 'float', context)) return undefined;
  if (!inDomain(columns.dtype, 'int', context) || !inDomain(starts.dtype, 'int', context)) {
    return undefined;
  }
  const [count = 0, high = 1] = data.shape;
  if (!hasShape(columns, '`sparse_indices`', [count], context, '`sparse_data`')) return undefined;
  if (!hasRank(starts, '`sparse_indptr`', [1], context)) return undefined;
  const [borders = 1] = starts.shape;
  if (borders === 0) {
    return report(context, badExtent('`sparse_indptr`', 'it has no entry after the last row'));
  }
  return { data, rows: multiplyDims(subtractDims(borders, 1), high) };
}

export const sparseArg = (args: KernelArgs, first: number): Sparse => ({
  data: args.tensor(first),
  columns: args.tensor(first + 1),
  starts: args.tensor(first + 2),
});

const vector = (...values: ReadonlyArray<number>): Tensor =>
  fromNumbers(values, [values.length], 'int32');

/**
 * Example columns and rows: of 5 elements in 4 rows and up to 4 columns, and of 3 blocks in 2 rows.
 */
export const someElements = [vector(0, 3, 1, 2, 0), vector(0, 2, 2, 4, 5)] as const;
export const someBlocks = [vector(0, 1, 1), vector(0, 2, 3)] as const;
