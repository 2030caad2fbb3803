/**
 * CombineParallelBatchMatmul: products of the same batch become one.
 * [passes §19](https://batonjs.github.io/baton/spec/passes#19).
 */
import { type ConfigurablePass, configurable } from '../configurable.ts';
import {
  type CombineParallelOptions,
  combineOptions,
  combineParallel,
} from './combine-parallel.ts';
import { sideBySide } from './side-by-side.ts';

/**
 * Computes `nn.batch_matmul` calls of the same first argument as one, whose columns are those of
 * all:
 *
 * ```
 * (nn.batch_matmul(%x, %v, transpose_b=True), nn.batch_matmul(%x, %w, transpose_b=True))
 * =>
 * nn.batch_matmul(%x, concatenate((%v, %w), axis=1), transpose_b=True), and a slice for each
 * ```
 *
 * Only products of a transposed second argument are combined.
 *
 * **Complexity** linear in nodes and uses, times the logarithm of the depth.
 *
 * **Source** Relay v0.14 CombineParallelBatchMatmul.
 */
export const combineParallelBatchMatmul: ConfigurablePass<CombineParallelOptions> = configurable(
  combineOptions,
  (options) =>
    combineParallel({
      ...options,
      name: 'CombineParallelBatchMatmul',
      doc: 'Merges products of the same batch.',
      op: 'nn.batch_matmul',
      combination: sideBySide({
        only: { transpose_a: false, transpose_b: true },
        repeats: false,
      }),
    }),
);
