/** The correlation of the pixels of two images. */
import { heap, type Memory, shapeSize, type Tensor } from '@baton/tensor';
import { finish, loadNumbers, numberBuffer } from './values.ts';

export interface CorrelationOptions {
  readonly side: number;
  /** The largest shift of the second image, and the step between shifts. */
  readonly reach: number;
  readonly step: number;
  /** The step between pixels of the first image. */
  readonly stride: number;
  /** Zero padding above and to the left of both images. */
  readonly before: readonly [number, number];
  /** Whether pixels are multiplied; otherwise their distance is taken. */
  readonly multiplies: boolean;
}

/**
 * The mean product, or distance, of a window of the first image and the windows around it in the
 * second.
 *
 * **Shapes** a and b (N, C, H, W), result (N, shifts, rows, columns).
 *
 * **Source** Dosovitskiy et al., "FlowNet" (2015); Relay v0.14 nn.correlation
 */
export function correlation(
  a: Tensor,
  b: Tensor,
  shape: ReadonlyArray<number>,
  { side, reach, step, stride, before, multiplies }: CorrelationOptions,
  memory: Memory = heap,
): Tensor {
  const [batch = 0, shifts = 0, rows = 0, columns = 0] = shape;
  const [, channels = 0, height = 0, width = 0] = a.shape;
  const [first, second] = [loadNumbers(a, memory), loadNumbers(b, memory)];
  const out = numberBuffer(a.dtype, shapeSize(shape), memory);
  const across = Math.floor(reach / step);
  const at = (data: typeof first, plane: number, y: number, x: number): number => {
    const [i, j] = [y - before[0], x - before[1]];
    return i < 0 || i >= height || j < 0 || j >= width
      ? 0
      : (data[(plane * height + i) * width + j] as number);
  };
  let to = 0;
  for (let n = 0; n < batch; n++) {
    for (let shift = 0; shift < shifts; shift++) {
      const dy = (Math.floor(shift / (2 * across + 1)) - across) * step;
      const dx = ((shift % (2 * across + 1)) - across) * step;
      for (let place = 0; place < rows * columns; place++) {
        const y = Math.floor(place / columns) * stride + reach;
        const x = (place % columns) * stride + reach;
        let sum = 0;
        for (let c = n * channels; c < (n + 1) * channels; c++) {
          for (let k = 0; k < side * side; k++) {
            const [i, j] = [y + Math.floor(k / side), x + (k % side)];
            const [p, q] = [at(first, c, i, j), at(second, c, i + dy, j + dx)];
            sum += multiplies ? p * q : Math.abs(p - q);
          }
        }
        out[to++] = sum / (side * side * channels);
      }
    }
  }
  return finish(out, shape, a.dtype, memory);
}
