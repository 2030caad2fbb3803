/**
 * CombineParallelConv2D: convolutions of the same data become one.
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
 * Computes convolutions of the same data with kernels of one size as one convolution, whose
 * channels are those of all:
 *
 * ```
 * (nn.conv2d(%x, %w1), nn.conv2d(%x, %w2))           (%w1 of 4 outputs, %w2 of 8)
 * =>
 * %0 = nn.conv2d(%x, concatenate((%w1, %w2)), channels=12);
 * (strided_slice(%0, begin=[0, 0], end=[-1, 4], strides=[1, 1], slice_mode="size"),
 *  strided_slice(%0, begin=[0, 4], end=[-1, 8], strides=[1, 1], slice_mode="size"))
 * ```
 *
 * Elementwise calls after them become one as well, if their other arguments lie along the channels.
 *
 * **Complexity** linear in nodes and uses, times the logarithm of the depth.
 *
 * **Source** Relay v0.14 CombineParallelConv2D.
 */
export const combineParallelConv2d: ConfigurablePass<CombineParallelOptions> = configurable(
  combineOptions,
  (options) =>
    combineParallel({
      ...options,
      name: 'CombineParallelConv2D',
      doc: 'Merges convolutions of the same data.',
      op: 'nn.conv2d',
      combination: sideBySide({ repeats: false }),
    }),
);
