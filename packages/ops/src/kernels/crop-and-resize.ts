/** Boxes of images, resized to one size. */
import {
  heap,
  type Memory,
  rowMajorStrides,
  type Shape,
  shapeSize,
  sliceView,
  type Tensor,
  tensor,
  toNumbers,
} from '@baton/tensor';
import { copyInto } from './copy.ts';
import { type ResizeMethod, resize } from './resize.ts';

/** The size of the crops, and the values between and outside of the pixels. */
export interface CropOptions {
  readonly size: Shape;
  readonly method: Exclude<ResizeMethod, 'cubic'>;
  readonly extrapolation: number;
}

/**
 * Each box of its image, resized to one size. An image index out of range is clamped.
 *
 * **Shapes** x (N, C, H, W), boxes (B, 4) of y and x of two corners, images (B), result (B, C,
 * size…).
 */
export function cropAndResize(
  x: Tensor,
  boxes: Tensor,
  images: Tensor,
  { size, method, extrapolation }: CropOptions,
  memory: Memory = heap,
): Tensor {
  const [batch = 0, channels = 0, ...spatial] = x.shape;
  const [corners, numbers] = [toNumbers(boxes, memory), toNumbers(images, memory)];
  const count = numbers.length;
  const shape = [count, channels, ...size];
  const out = memory.take(x.dtype, shapeSize(shape));
  const crop = shapeSize(shape.slice(1));
  for (let b = 0; b < count; b++) {
    const n = Math.min(Math.max(numbers[b] as number, 0), batch - 1);
    const image = sliceView(x, [n, 0, 0, 0], [1, channels, ...spatial]);
    const corner = (i: number): number => corners[4 * b + i] as number;
    const axes = size.map((to, i) => ({
      axis: i + 2,
      size: to,
      roi: [corner(i), corner(i + 2)] as const,
    }));
    const resized = resize(
      image,
      axes,
      {
        method,
        coordinates: 'tf_crop_and_resize',
        rounding: 'round',
        cubicAlpha: 0,
        cubicExclude: false,
        extrapolation,
      },
      memory,
    );
    copyInto(resized, out, b * crop, rowMajorStrides(resized.shape));
  }
  return tensor(out, shape, x.dtype);
}
