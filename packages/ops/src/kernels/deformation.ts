/** The windows of a deformable convolution, whose elements are moved by offsets. */
import { heap, type Memory, type Shape, shapeSize, type Tensor } from '@baton/tensor';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/** One number for each spatial axis. */
export interface DeformedWindows {
  readonly kernel: Shape;
  readonly strides: Shape;
  readonly padding: Shape;
  readonly dilation: Shape;
  /** The number of channel groups with separate offsets. */
  readonly groups: number;
}

/**
 * All windows next to each other, sampled at their moved coordinates; a convolution whose strides
 * are the size of its kernel then reads each of them once.
 *
 * **Shapes** x (N, C, H, W), offsets (N, groups · kernel · 2, rows, columns) of y and x, result (N,
 * C, rows · kernel, columns · kernel).
 *
 * **Source** Dai et al., "Deformable Convolutional Networks" (2017); Relay v0.14
 * nn.deformable_conv2d: a coordinate outside of the image is 0.
 */
export function deformed(
  x: Tensor,
  offsets: Tensor,
  { kernel, strides, padding, dilation, groups }: DeformedWindows,
  memory: Memory = heap,
): Tensor {
  const [batch = 0, channels = 0, height = 0, width = 0] = x.shape;
  const [, , rows = 0, columns = 0] = offsets.shape;
  const [high = 1, wide = 1] = kernel;
  const [data, moves] = [loadNumbers(x, memory), loadNumbers(offsets, memory)];
  const shape = [batch, channels, rows * high, columns * wide];
  const out = numberBuffer(x.dtype, shapeSize(shape), memory);
  const [cells, places, perGroup] = [high * wide, rows * columns, channels / groups];
  for (let n = 0; n < batch; n++) {
    for (let cell = 0; cell < groups * cells; cell++) {
      const [group, k] = [Math.floor(cell / cells), cell % cells];
      const [i, j] = [Math.floor(k / wide), k % wide];
      for (let place = 0; place < places; place++) {
        const [row, column] = [Math.floor(place / columns), place % columns];
        const from = (n * groups * cells + cell) * 2 * places + place;
        const base = (axis: number, at: number, step: number): number =>
          at * (strides[axis] ?? 1) - (padding[axis] ?? 0) + step * (dilation[axis] ?? 1);
        const y = base(0, row, i) + (moves[from] as number);
        const at = base(1, column, j) + (moves[from + places] as number);
        const sample = sampleAt(y, at, height, width);
        const to = (row * high + i) * columns * wide + column * wide + j;
        for (let c = group * perGroup; c < (group + 1) * perGroup; c++) {
          const plane = n * channels + c;
          let sum = 0;
          for (const [where, weight] of sample) {
            sum += weight * (data[plane * height * width + where] as number);
          }
          out[plane * cells * places + to] = sum;
        }
      }
    }
  }
  return finish(out, shape, x.dtype, memory);
}

/**
 * The pixels around a coordinate, with their weights: none if it is outside, and none past the last
 * row and column.
 */
function sampleAt(
  y: number,
  x: number,
  height: number,
  width: number,
): ReadonlyArray<readonly [place: number, weight: number]> {
  if (!(y >= 0 && y < height && x >= 0 && x < width)) return [];
  const [top, left] = [Math.floor(y), Math.floor(x)];
  const [down, right] = [y - top, x - left];
  const taps = [
    [top, left, (1 - down) * (1 - right)],
    [top, left + 1, (1 - down) * right],
    [top + 1, left, down * (1 - right)],
    [top + 1, left + 1, down * right],
  ] as const;
  return taps.flatMap(([i, j, weight]) =>
    i < height && j < width ? [[i * width + j, weight] as const] : [],
  );
}
