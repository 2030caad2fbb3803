/** Sliding windows of convolutions and pools: attributes, and resulting dimensions. */
import { type Dim, describeDim, type RelationContext } from '@baton/ir';
import { badExtent } from '../diagnostics.ts';
import { type Rounding, type WindowAxis, windowDim } from './dims.ts';
import { report } from './known.ts';

/** Each list has one entry for each spatial axis. */
export interface WindowAttrs {
  readonly kernel: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
  /** One value for all sides, one for each axis, or all befores and then all afters. */
  readonly padding: ReadonlyArray<number>;
}

/** The allowed lengths of a padding list. */
export const paddingLengths = (rank: number): ReadonlyArray<number> =>
  rank === 1 ? [1, 2] : [1, rank, 2 * rank];

export function paddingPairs(
  padding: ReadonlyArray<number>,
  rank: number,
): ReadonlyArray<readonly [number, number]> {
  const at = (i: number): number => padding[i] ?? 0;
  return Array.from({ length: rank }, (_, axis) => {
    if (padding.length === 1) return [at(0), at(0)];
    if (padding.length === rank) return [at(axis), at(axis)];
    return [at(axis), at(axis + rank)];
  });
}

/** The padding in the order of kernels: all befores, then all afters. */
export function paddingLists(padding: ReadonlyArray<number>, rank: number): ReadonlyArray<number> {
  const pairs = paddingPairs(padding, rank);
  return [...pairs.map(([before]) => before), ...pairs.map(([, after]) => after)];
}

export function windowAxes(attrs: WindowAttrs): ReadonlyArray<WindowAxis> {
  const pads = paddingPairs(attrs.padding, attrs.kernel.length);
  return attrs.kernel.map((kernel, i) => ({
    kernel,
    stride: attrs.strides[i] ?? 1,
    dilation: attrs.dilation[i] ?? 1,
    padBefore: pads[i]?.[0] ?? 0,
    padAfter: pads[i]?.[1] ?? 0,
  }));
}

/** The spatial dimensions of the result; `undefined` after reporting a window that does not fit. */
export function windowDims(
  spatial: ReadonlyArray<Dim>,
  windows: ReadonlyArray<WindowAxis>,
  rounding: Rounding,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  const dims: Dim[] = [];
  for (const [i, window] of windows.entries()) {
    const size = spatial[i] as Dim;
    const dim = windowDim(size, window, rounding);
    if (dim === undefined) {
      const message = `a window of ${window.kernel} does not fit into ${describeDim(size)} and padding`;
      return report(context, badExtent(`spatial axis ${i}`, message));
    }
    dims.push(dim);
  }
  return dims;
}
