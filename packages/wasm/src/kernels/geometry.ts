/** The sizes of a convolution of two axes. */
import type { Site } from './kernel.ts';
import type { Window } from './windows.ts';

/** A convolution: its window, and the sizes that the loops run over. */
export interface Geometry extends Window {
  readonly batch: number;
  readonly groups: number;
  /** Channels of one group, in and out. */
  readonly channels: number;
  readonly outputs: number;
  readonly height: number;
  readonly width: number;
  readonly outHeight: number;
  readonly outWidth: number;
  readonly top: number;
  readonly left: number;
}

/** The sizes of a convolution, or `undefined` if it has another layout or nothing to compute. */
export function geometryOf({ data, weight, out, attrs, level }: Site): Geometry | undefined {
  const layouts = [attrs.data_layout, attrs.kernel_layout, attrs.out_layout || 'NCHW'];
  if (level === 'scalar' || layouts.join() !== 'NCHW,OIHW,NCHW') return undefined;
  if ([...data, ...weight, ...out].some((dim) => dim === 0)) return undefined;
  const [batch, inputs, height, width] = data as Four;
  const [, , ...kernel] = weight as Four;
  const [, allOutputs, outHeight, outWidth] = out as Four;
  const { strides, dilation, padding, groups } = attrs as unknown as ConvolutionAttrs;
  return {
    batch,
    groups,
    channels: inputs / groups,
    outputs: allOutputs / groups,
    height,
    width,
    outHeight,
    outWidth,
    kernel,
    strides,
    dilation,
    top: padding[0],
    left: padding[1] ?? padding[0],
  };
}

type Four = readonly [number, number, number, number];
type Pair = readonly [number, number];

interface ConvolutionAttrs {
  readonly strides: Pair;
  readonly dilation: Pair;
  /** For all sides, for each axis, or above, left, below, right. */
  readonly padding: readonly [number, number?, number?, number?];
  readonly groups: number;
}
