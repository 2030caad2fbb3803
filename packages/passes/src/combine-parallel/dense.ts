/**
 * CombineParallelDense: dense layers of the same data become one.
 * [passes §19](https://batonjs.github.io/baton/spec/passes#19).
 */
import { aBoolean } from '@baton/base';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import {
  type CombineParallelOptions,
  combineOptions,
  combineParallel,
} from './combine-parallel.ts';
import { sideBySide } from './side-by-side.ts';
import { stackedDense } from './stacked.ts';

export interface CombineParallelDenseOptions extends CombineParallelOptions {
  /**
   * Whether layers of one size become one `nn.batch_matmul`; else layers of any sizes become one
   * dense layer. @defaultValue true
   */
  readonly toBatch?: boolean;
}

/**
 * Computes dense layers of the same data as one product, of stacked operands or, with
 * `toBatch: false`, of weights side by side:
 *
 * ```
 * (nn.dense(%x, %v), nn.dense(%x, %w))
 * =>
 * %0 = split(nn.batch_matmul(stack((%x, %x)), stack((%v, %w)), transpose_b=True), ..);
 * (squeeze(%0.0, axis=[0]), squeeze(%0.1, axis=[0]))
 * ```
 *
 * Elementwise calls after them become one as well, if their other arguments fit.
 *
 * **Complexity** linear in nodes and uses, times the logarithm of the depth.
 *
 * **Source** Relay v0.14 CombineParallelDense.
 */
export const combineParallelDense: ConfigurablePass<CombineParallelDenseOptions> = configurable(
  { ...combineOptions, toBatch: aBoolean },
  ({ toBatch = true, ...options }) =>
    combineParallel({
      ...options,
      name: 'CombineParallelDense',
      doc: 'Merges dense layers of the same data.',
      op: 'nn.dense',
      combination: toBatch ? stackedDense : sideBySide({ repeats: true }),
    }),
);
