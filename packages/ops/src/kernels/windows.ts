/** The windows of an image as rows of a matrix (im2col). */
import type { Memory, Tensor } from '@baton/tensor';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/**
 * The square window around each pixel, with 0 outside of the image: its pixels for each channel, or
 * the channels of each pixel.
 *
 * **Shapes** x (N, C, H, W), result (N · H · W, C · side²).
 */
export function windowsOf(x: Tensor, side: number, channelsLast: boolean, memory: Memory): Tensor {
  const [batch = 0, channels = 0, height = 0, width = 0] = x.shape;
  const data = loadNumbers(x, memory);
  const row = channels * side * side;
  const out = numberBuffer(x.dtype, batch * height * width * row, memory).fill(0);
  const [ofChannel, ofPlace] = channelsLast ? [1, channels] : [side * side, 1];
  const before = (side - 1) / 2;
  for (let n = 0; n < batch; n++) {
    for (let y = 0; y < height; y++) {
      for (let at = 0; at < width; at++) {
        const start = ((n * height + y) * width + at) * row;
        for (let k = 0; k < side * side; k++) {
          const [i, j] = [y + Math.floor(k / side) - before, at + (k % side) - before];
          if (i < 0 || i >= height || j < 0 || j >= width) continue;
          for (let c = 0; c < channels; c++) {
            const from = ((n * channels + c) * height + i) * width + j;
            out[start + c * ofChannel + k * ofPlace] = data[from] as number;
          }
        }
      }
    }
  }
  return finish(out, [batch * height * width, row], x.dtype, memory);
}
