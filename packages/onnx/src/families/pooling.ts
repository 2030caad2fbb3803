/** Pools over windows. */
import type { Attrs, Dim } from '@baton/ir';
import type { NodeContext } from '../import/operator.ts';
import { reach, type Windows, windows } from './spatial.ts';

/**
 * The attributes of a Baton pool for a node over data of these dimensions.
 *
 * With `ceil_mode`, ONNX drops a last window that would begin in the padding behind the data, and
 * Relay does not: such a pool is given the padding with which whole windows come out as ONNX's.
 */
export function poolAttributes(
  context: NodeContext,
  dims: ReadonlyArray<Dim>,
  countsPadding: boolean,
): Attrs | undefined {
  const w = windows(context, dims);
  if (w === undefined) return undefined;
  const attrs = { pool_size: w.kernel, strides: w.strides, dilation: w.dilations };
  if (context.attributes.int('ceil_mode', 0) === 0) return { ...attrs, padding: w.pads };
  const sizes = dims.slice(2);
  const dropped = sizes.some((size, axis) => isDropped(size, w, axis));
  if (!dropped) return { ...attrs, padding: w.pads, ceil_mode: true };
  const rank = sizes.length;
  const ends = sizes.map((size, axis) => exactEnd(size, w, axis));
  if (countsPadding && ends.some((end, axis) => end > (w.pads[rank + axis] ?? 0))) {
    const message = 'a pool with ceil_mode and count_include_pad has a window beyond the padding';
    return context.fail('ONNX_UNSUPPORTED', message);
  }
  return { ...attrs, padding: [...w.pads.slice(0, rank), ...ends] };
}

/** The windows along an axis if the last may reach beyond the padding. */
const roundedUp = (size: number, w: Windows, axis: number): number =>
  Math.ceil((padded(size, w, axis) - reach(w, axis)) / (w.strides[axis] ?? 1)) + 1;

const padded = (size: number, w: Windows, axis: number): number =>
  size + (w.pads[axis] ?? 0) + (w.pads[w.pads.length / 2 + axis] ?? 0);

/** Whether the last window would begin behind the data. An unknown size is taken to fit. */
function isDropped(size: Dim, w: Windows, axis: number): boolean {
  if (typeof size !== 'number') return false;
  const lastBegin = (roundedUp(size, w, axis) - 1) * (w.strides[axis] ?? 1);
  return lastBegin >= size + (w.pads[axis] ?? 0);
}

/** The padding behind an axis with which exactly ONNX's windows fit. */
function exactEnd(size: Dim, w: Windows, axis: number): number {
  if (typeof size !== 'number') return w.pads[w.pads.length / 2 + axis] ?? 0;
  const count = roundedUp(size, w, axis) - (isDropped(size, w, axis) ? 1 : 0);
  const needed = (count - 1) * (w.strides[axis] ?? 1) + reach(w, axis);
  return Math.max(0, needed - size - (w.pads[axis] ?? 0));
}
