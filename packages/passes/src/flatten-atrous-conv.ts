/**
 * FlattenAtrousConv: convolutions of blocks become dilated convolutions.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import type { Pass } from '@baton/pass-manager';
import { dilations, greedy } from '@baton/rewrites';

/**
 * Writes a convolution of blocks of its data, put together again, as a dilated convolution:
 *
 * ```
 * nn.batch_to_space_nd(nn.conv2d(nn.space_to_batch_nd(%x, block_shape=[2, 2], paddings=[[2, 3], [2, 3]]),
 *   %w, data_layout="NHWC"), block_shape=[2, 2], crops=[[0, 1], [0, 1]])
 * =>
 * nn.conv2d(%x, %w, padding=[2, 2, 2, 2], dilation=[2, 2], data_layout="NHWC")
 * ```
 *
 * The data is padded with 0, the strides are 1, and no more is cropped than was padded. A convolution of
 * blocks that has other users stays: it would be computed twice.
 *
 * **Complexity** linear in the function.
 */
export const flattenAtrousConv: Pass = greedy(dilations, {
  name: 'FlattenAtrousConv',
  doc: 'Replaces convolutions of space-to-batch blocks by dilated convolutions.',
  skipUnknown: true,
  subject: 'sizes',
  isIdempotent: true,
});
