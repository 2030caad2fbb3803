/** The gradient of the weight of a convolution. */
import {
  heap,
  type Memory,
  reshapeView,
  type Shape,
  sliceView,
  type Tensor,
  transposeView,
} from '@baton/tensor';
import { type ConvolutionOptions, convolution } from './convolution.ts';

/**
 * Correlates the data with the gradient of the result: a convolution with batches as channels,
 * strides and dilation swapped, and each group computed separately.
 *
 * **Shapes** g (N, O, windows…), data (N, C, spatial…), result (O, C / groups, kernel…).
 */
export function convolutionWeightGradient(
  g: Tensor,
  data: Tensor,
  options: ConvolutionOptions,
  kernel: Shape,
  memory: Memory = heap,
): Tensor {
  const { groups, strides, dilation } = options;
  const [batch = 0, channels = 0, ...spatial] = data.shape;
  const perGroup = channels / groups;
  const axes = spatial.map((_, i) => i);
  const parted = reshapeView(data, [batch, groups, perGroup, ...spatial], memory);
  const turned = transposeView(parted, [2, 1, 0, ...axes.map((i) => i + 3)]);
  const images = reshapeView(turned, [perGroup, groups * batch, ...spatial], memory);
  const plain = axes.map((i) => i + 2);
  const windows = transposeView(g, [1, 0, ...plain]);
  const turnedOptions = { ...options, strides: dilation, dilation: strides };
  const all = convolution(images, windows, turnedOptions, memory);
  // The data may be long enough for a larger kernel.
  const used = [g.shape[1] ?? 0, perGroup, ...kernel];
  return sliceView(
    transposeView(all, [1, 0, ...plain]),
    used.map(() => 0),
    used,
  );
}
