/**
 * The algorithms by which a convolution can be computed, and the choice between them.
 *
 * **Source** Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015; the bounds are
 * measured with `pnpm bench:compiled`.
 */
import type { Attrs } from '@baton/ir';
import type { Shape } from '@baton/tensor';
import { numbersOf } from './op-call.ts';

/**
 * - `''`: what the executor takes by default, which is `direct`.
 * - `direct`: the sums of the definition.
 * - `winograd2`, `winograd4`: Winograd's F(2×2, 3×3) and F(4×4, 3×3), which take 16 and 36
 *   multiplications for what `direct` takes 36 and 144; the error is some 1e-6 of the largest result.
 */
export const CONVOLUTION_ALGORITHMS = ['', 'direct', 'winograd2', 'winograd4'] as const;

/** An algorithm of a convolution. */
export type ConvolutionAlgorithm = (typeof CONVOLUTION_ALGORITHMS)[number];

/** Channels, and outputs, from which on the transforms pay. */
const LEAST_CHANNELS = 8;

/** Pixels of a result from which on the transforms pay. */
const LEAST_PIXELS = 16;

/** The side of a result from which on tiles of 4 × 4 fit. */
const LEAST_SIDE = 8;

/** Products of channels and outputs up to which tiles of 4 × 4 pay for their weight, four times as large. */
const LARGEST_FOUR = 128 * 128;

/**
 * The fastest algorithm for a `nn.conv2d` of a constant weight.
 *
 * **Shapes** data (N, C, H, W), weight (O, C, h, w), result (N, O, H, W), in the layout NCHW.
 */
export function fastestAlgorithm(
  attrs: Attrs,
  weight: Shape,
  result: Shape,
): Exclude<ConvolutionAlgorithm, ''> {
  const [all = 0, channels = 0, ...kernel] = weight;
  const outputs = all / Number(attrs.groups);
  const [, , height = 0, width = 0] = result;
  const layouts = [attrs.data_layout, attrs.kernel_layout, attrs.out_layout || 'NCHW'].join();
  const steps = [...numbersOf(attrs.strides), ...numbersOf(attrs.dilation)];
  const isThree = kernel.length === 2 && kernel.every((size) => size === 3);
  const isPlain = layouts === 'NCHW,OIHW,NCHW' && steps.every((step) => step === 1);
  if (!isThree || !isPlain) return 'direct';
  if (Math.min(channels, outputs) < LEAST_CHANNELS || height * width < LEAST_PIXELS) {
    return 'direct';
  }
  const isLarge = Math.min(height, width) >= LEAST_SIDE && channels * outputs <= LARGEST_FOUR;
  return isLarge ? 'winograd4' : 'winograd2';
}
