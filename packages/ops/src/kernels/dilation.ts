/** Morphological dilation: a convolution in which products are sums, and the sum is a maximum. */
import { heap, type Memory, shapeSize, type Tensor } from '@baton/tensor';
import { layOut, type PoolOptions, slidingWindows } from './pool.ts';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/**
 * The maximum over each window of data plus weight. Padding is 0.
 *
 * **Shapes** x (N, C, spatial…), weight (C, window…), result (N, C, windows…).
 */
export function dilation(
  x: Tensor,
  weight: Tensor,
  options: PoolOptions,
  memory: Memory = heap,
): Tensor {
  const sliding = slidingWindows(x.shape, options);
  const { padded, counts: windows, cells, starts } = layOut(x, sliding, 0, memory);
  const [data, weights] = [loadNumbers(padded, memory), loadNumbers(weight, memory)];
  const [batch = 0, channels = 0] = x.shape;
  const plane = shapeSize(padded.shape.slice(2));
  const out = numberBuffer(x.dtype, batch * channels * starts.length, memory);
  let to = 0;
  for (let p = 0; p < batch * channels; p++) {
    const own = (p % channels) * cells.length;
    for (const first of starts) {
      const start = p * plane + first;
      let peak = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < cells.length; k++) {
        const at = start + (cells[k] as number);
        peak = Math.max(peak, (data[at] as number) + (weights[own + k] as number));
      }
      out[to++] = peak;
    }
  }
  return finish(out, [batch, channels, ...windows], x.dtype, memory);
}
