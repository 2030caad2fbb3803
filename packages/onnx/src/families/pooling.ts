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
 * does not: along such an axis the pool is given the padding with which ONNX's windows just fit.
 */
export function poolAttributes(
  dims: ReadonlyArray<Dim>,
  w: Windows,
  roundsUp: boolean,
): PoolAttributes {
  const attrs = { pool_size: w.kernel, strides: w.strides, dilation: w.dilations };
  const sizes = dims.slice(2);
  const drops = sizes.map((size, axis) => roundsUp && isDropped(size, w, axis));
  if (!drops.includes(true)) return { ...attrs, padding: w.pads, ceil_mode: roundsUp };
  const ends = sizes.map((size, axis) =>
    drops[axis] === true ? exactEnd(size, w, axis) : endOf(w, axis),
  );
  const mayReachBeyond = (size: Dim, axis: number): boolean =>
    typeof size !== 'number' || exactEnd(size, w, axis) > endOf(w, axis);
  return {
    ...attrs,
    padding: [...w.pads.slice(0, sizes.length), ...ends],
    ceil_mode: sizes.some(mayReachBeyond),
  };
}

/** The padding behind an axis. */
const endOf = (w: Windows, axis: number): number => w.pads[w.pads.length / 2 + axis] ?? 0;

/** The windows along an axis if the last may reach beyond the padding. */
const roundedUp = (size: number, w: Windows, axis: number): number =>
  Math.ceil((padded(size, w, axis) - reach(w, axis)) / (w.strides[axis] ?? 1)) + 1;

const padded = (size: number, w: Windows, axis: number): number =>
  size + (w.pads[axis] ?? 0) + endOf(w, axis);

/** Whether the last window would begin behind the data. An unknown size is taken to fit. */
function isDropped(size: Dim, w: Windows, axis: number): boolean {
  if (typeof size !== 'number') return false;
  const lastBegin = (roundedUp(size, w, axis) - 1) * (w.strides[axis] ?? 1);
  return lastBegin >= size + (w.pads[axis] ?? 0);
}

/** The padding behind an axis with which exactly ONNX's windows fit. */
function exactEnd(size: Dim, w: Windows, axis: number): number {
  if (typeof size !== 'number') return endOf(w, axis);
  const count = roundedUp(size, w, axis) - (isDropped(size, w, axis) ? 1 : 0);
  const needed = (count - 1) * (w.strides[axis] ?? 1) + reach(w, axis);
  return Math.max(0, needed - size - (w.pads[axis] ?? 0));
}
