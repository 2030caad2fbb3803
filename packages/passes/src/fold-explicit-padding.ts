/**
 * FoldExplicitPadding: pads inside convolutions and pools.
 * [passes §23](https://batonjs.github.io/baton/spec/passes#23).
 */
import type { Pass } from '@baton/pass-manager';
import { greedy, paddings } from '@baton/rewrites';

/**
 * Writes each `nn.pad` that feeds a convolution or a pool as the padding of that:
 *
 * ```
 * nn.conv2d(nn.pad(%x, 0f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]), %w)
 * =>
 * nn.conv2d(%x, %w, padding=[1, 1, 1, 1])
 * ```
 *
 * The pad must be what the operator would pad with: 0, or the least value for a maximum; and only
 * on spatial axes. A mean that leaves padding out takes none but zeros that are counted. Pools that
 * round their size up, and maxima over nothing but padding, are left alone. Other users of the pad
 * keep it.
 *
 * **Complexity** linear in the function.
 */
export const foldExplicitPadding: Pass = greedy(paddings, {
  name: 'FoldExplicitPadding',
  doc: 'Merges pads into the convolutions and pools that use them.',
  subject: 'layers',
  skipUnknown: true,
  isIdempotent: true,
});
