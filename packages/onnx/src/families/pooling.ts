/** Pools over windows. */
import type { Attrs, Dim } from '@baton/ir';
import { reach, type Windows } from './spatial.ts';

/** The attributes of a Baton pool. */
export interface PoolAttributes extends Attrs {
  readonly pool_size: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly ceil_mode: boolean;
}

/**
 * The attributes of a Baton pool with these windows over data of these dimensions.
 *
 * Rounding up, ONNX drops a last window that would begin in the padding behind the data, and Relay
 * does not: such a pool is given the padding with which whole windows come out as ONNX's.
 */
export function poolAttributes(
  dims: ReadonlyArray<Dim>,
  w: Windows,
  roundsUp: boolean,
): PoolAttributes {
  const attrs = { pool_size: w.kernel, strides: w.strides, dilation: w.dilations };
  const sizes = dims.slice(2);
  const isExact = !roundsUp || !sizes.some((size, axis) => isDropped(size, w, axis));
  if (isExact) return { ...attrs, padding: w.pads, ceil_mode: roundsUp };
  const ends = sizes.map((size, axis) => exactEnd(size, w, axis));
  return { ...attrs, padding: [...w.pads.slice(0, sizes.length), ...ends], ceil_mode: false };
}

/** Whether a last window reaches beyond the padding, as far as sizes are known. */
export const reachesBeyond = (dims: ReadonlyArray<Dim>, w: Windows): boolean =>
  dims
    .slice(2)
    .some((size, axis) => exactEnd(size, w, axis) > (w.pads[w.pads.length / 2 + axis] ?? 0));

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
