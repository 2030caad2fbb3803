/** Padding of tensors. */
import {
  cast,
  dense,
  heap,
  type Memory,
  rowMajorStrides,
  type Shape,
  shapeSize,
  sliceView,
  type Tensor,
  tensor,
  zeros,
} from '@baton/tensor';
import { copyInto } from './copy.ts';
import { take } from './take.ts';

/**
 * The values of the padding: one value (`constant`); the nearest element (`edge`); the mirror image
 * about the edge element (`reflect`), or about the edge itself, which repeats the edge element
 * (`symmetric`).
 */
export type PadMode = 'constant' | 'edge' | 'reflect' | 'symmetric';

/** Padding on each axis; negative values crop. */
export interface Border {
  readonly before: Shape;
  readonly after: Shape;
}

/** Pads with a constant. `value` is a scalar tensor; zero by default. */
export function padConstant(
  x: Tensor,
  widths: Border,
  value?: Tensor,
  memory: Memory = heap,
): Tensor {
  const shape = paddedShape(x, widths);
  const fill = value === undefined ? zeros([], x.dtype, memory) : cast(value, x.dtype, memory);
  const data = memory.take(x.dtype, shapeSize(shape));
  data.fill(dense(fill).data[0] as never);
  const out = tensor(data, shape, x.dtype);
  const strides = rowMajorStrides(shape);
  const begin = widths.before.map((width) => Math.max(-width, 0));
  const size = x.shape.map((dim, axis) => {
    return Math.max(
      dim + Math.min(at(widths.before, axis), 0) + Math.min(at(widths.after, axis), 0),
      0,
    );
  });
  if (size.includes(0)) return out;
  const offset = widths.before.reduce(
    (sum, width, axis) => sum + Math.max(width, 0) * at(strides, axis),
    0,
  );
  copyInto(sliceView(x, begin, size), data, offset, strides);
  return out;
}

/** Pads with copies of the tensor's own elements. A padded axis must not be empty. */
export function padWithOwn(
  x: Tensor,
  widths: Border,
  mode: Exclude<PadMode, 'constant'>,
  memory: Memory = heap,
): Tensor {
  // One axis at a time, so that later axes copy the corners of earlier ones.
  return x.shape.reduce((t, dim, axis) => {
    const before = at(widths.before, axis);
    const count = dim + before + at(widths.after, axis);
    if (count === dim && before === 0) return t;
    const indices = Array.from({ length: count }, (_, i) => sourceIndex(i - before, dim, mode));
    const places = tensor(indices, [count], 'int32');
    return take(t, places, { axis, batch: 0, isWrapped: false }, memory);
  }, x);
}

function paddedShape(x: Tensor, { before, after }: Border): number[] {
  return x.shape.map((dim, axis) => Math.max(dim + at(before, axis) + at(after, axis), 0));
}

/**
 * The index that padded index `i` copies; the pattern repeats if the padding is wider than the
 * axis.
 */
function sourceIndex(i: number, dim: number, mode: Exclude<PadMode, 'constant'>): number {
  if (mode === 'edge' || dim === 1) return Math.min(Math.max(i, 0), dim - 1);
  const period = mode === 'reflect' ? 2 * (dim - 1) : 2 * dim;
  const phase = ((i % period) + period) % period;
  if (phase < dim) return phase;
  return mode === 'reflect' ? period - phase : period - 1 - phase;
}

const at = (list: Shape, axis: number): number => list[axis] ?? 0;
