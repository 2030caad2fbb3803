/** The sizes of a convolution of two axes. */
import { type FunctionBuilder, i32, type Value } from '../emit/index.ts';
import { type Addresses, operandsAt, outBytesOf } from './function.ts';
import type { Epilogue, Site } from './kernel.ts';
import { each, moved } from './lanes.ts';
import { NUMBERS } from './numbers.ts';
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

/** Runs a body for each image and group; `bytes` are the weights of a group. */
export function eachPart(
  f: FunctionBuilder,
  shape: Geometry,
  weightBytes: number,
  epilogue: Epilogue,
  { data, weight, operands, out, scratch }: Addresses,
  body: (part: Addresses) => void,
): void {
  const { batch, groups, channels, outputs, height, width, outHeight, outWidth } = shape;
  const own = NUMBERS[epilogue.sums].bytes;
  each(f, batch * groups, 1, (part) => {
    const group = groups === 1 ? 0 : i32.remU(part, groups);
    const ofPart = (it: Address, bytes: number) =>
      f.let(moved(it, part, bytes * outputs * outHeight * outWidth));
    const ofGroup = (it: Address) => f.let(moved(it, group, own * outputs));
    const others = operandsAt(epilogue, operands, ofPart, ofGroup);
    body({
      data: f.let(moved(data, part, own * channels * height * width)),
      weight: f.let(moved(weight, group, weightBytes)),
      operands: others,
      out: ofPart(out, outBytesOf(epilogue)),
      scratch,
    });
  });
}

type Address = Value<'i32'>;

/** The number of inputs that `count` results along an axis read. */
export const reachOf = (
  { kernel, strides, dilation }: Window,
  axis: 0 | 1,
  results: number,
): number => (results - 1) * strides[axis] + (kernel[axis] - 1) * dilation[axis] + 1;

type Four = readonly [number, number, number, number];
type Pair = readonly [number, number];

interface ConvolutionAttrs {
  readonly strides: Pair;
  readonly dilation: Pair;
  /** For all sides, for each axis, or above, left, below, right. */
  readonly padding: readonly [number, number?, number?, number?];
  readonly groups: number;
}
