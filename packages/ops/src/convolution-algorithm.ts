/**
 * The algorithms for computing a convolution, and the choice among them.
 *
 * **Source** Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015; the bounds
 * are measured with `pnpm bench:compiled`.
 */
import type { Attrs } from '@baton/ir';
import type { Shape } from '@baton/tensor';
import { numbersOf } from './op-call.ts';

/**
 * - `''`: the executor's default, which is `direct`.
 * - `direct`: the sums of the definition.
 * - `winograd2`, `winograd4`: Winograd's F(2×2, 3×3) and F(4×4, 3×3), with 16 and 36
 *   multiplications instead of 36 and 144; the error is about 1e-6 of the largest result.
 */
export const CONVOLUTION_ALGORITHMS = ['', 'direct', 'winograd2', 'winograd4'] as const;

export type ConvolutionAlgorithm = (typeof CONVOLUTION_ALGORITHMS)[number];

/** The least number of channels, and of outputs, for which the transforms are profitable. */
const LEAST_CHANNELS = 8;

/** The least number of pixels of a result for which the transforms are profitable. */
const LEAST_PIXELS = 16;

/** The least side of a result for tiles of 4 × 4. */
const LEAST_SIDE = 8;

/**
 * The largest product of channels and outputs for tiles of 4 × 4, whose transformed weight is four
 * times as large.
 */
const LARGEST_FOUR = 128 * 128;

/** An algorithm that a call can name. */
export type NamedAlgorithm = Exclude<ConvolutionAlgorithm, ''>;

/** The sizes of a `nn.conv2d`: weight (O, C, h, w) and result (N, O, H, W), in the layout NCHW. */
interface Sizes {
  readonly attrs: Attrs;
  readonly weight: Shape;
  readonly result: Shape;
}

/** The algorithms that compute a `nn.conv2d` of a constant weight; the transforms are for 3 × 3 windows. */
export function convolutionAlgorithms({
  attrs,
  weight: [, , ...kernel],
}: Omit<Sizes, 'result'>): ReadonlyArray<NamedAlgorithm> {
  const layouts = [attrs.data_layout, attrs.kernel_layout, attrs.out_layout || 'NCHW'].join();
  const steps = [...numbersOf(attrs.strides), ...numbersOf(attrs.dilation)];
  const isThree = kernel.length === 2 && kernel.every((size) => size === 3);
  const isPlain = layouts === 'NCHW,OIHW,NCHW' && steps.every((step) => step === 1);
  return isThree && isPlain ? ['direct', 'winograd2', 'winograd4'] : ['direct'];
}

/** The algorithm for a `nn.conv2d` of a constant weight that is fastest by the bounds above. */
export function fastestAlgorithm({ attrs, weight, result }: Sizes): NamedAlgorithm {
  if (convolutionAlgorithms({ attrs, weight }).length === 1) return 'direct';
  const [all = 0, channels = 0] = weight;
  const outputs = all / Number(attrs.groups);
  const [, , height = 0, width = 0] = result;
  if (Math.min(channels, outputs) < LEAST_CHANNELS || height * width < LEAST_PIXELS) {
    return 'direct';
  }
  const isLarge = Math.min(height, width) >= LEAST_SIDE && channels * outputs <= LARGEST_FOUR;
  return isLarge ? 'winograd4' : 'winograd2';
}
