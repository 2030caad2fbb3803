/** Samplers of convolutions and products. */
import type { Attrs } from '@baton/ir';
import type { ConvolutionPattern } from '@baton/ops';
import type { DType } from '@baton/tensor';
import type { Builder } from '../generate/builder.ts';
import { MAX_ELEMENTS, sizeOf } from '../generate/shapes.ts';
import type { TensorValue } from '../generate/value.ts';
import type { Sampler, Samplers } from './sampler.ts';

export function weightOf(
  b: Builder,
  shape: ReadonlyArray<number>,
  dtype: DType = b.float,
): TensorValue {
  return b.random.chance(0.7) ? b.weights(shape, dtype) : b.operand({ shape, dtype });
}

const SPATIAL: Readonly<Record<number, string>> = { 1: 'W', 2: 'HW', 3: 'DHW' };

/** The layout of an image of this rank with channels on an axis: `NCHW`, `NHWC`, `CNHW`. */
export function imageLayout(rank: number, channelAxis: number): string {
  const letters = [...`N${SPATIAL[rank - 2] ?? ''}`];
  letters.splice(channelAxis, 0, 'C');
  return letters.join('');
}

export const spatialDims = (shape: ReadonlyArray<number>, layout: string): ReadonlyArray<number> =>
  [...layout].flatMap((letter, i) => ('DHW'.includes(letter) ? [shape[i] ?? 1] : []));

export type Grouping = 'one' | 'depthwise' | 'grouped';

export interface ConvolutionSpec {
  readonly channelAxis: number;
  readonly isTransposed?: boolean;
  readonly grouping?: Grouping;
}

/** Whether a tensor is an image, with spatial axes and without empty ones. */
export const isImage = (shape: ReadonlyArray<number>): boolean =>
  shape.length >= 3 && shape.length <= 5 && !shape.includes(0);

export const someImage = (b: Builder, ranks: readonly [number, number] = [3, 5]): TensorValue =>
  b.operand({
    rank: ranks,
    fits: isImage,
    fresh: () => b.random.pick(IMAGES.filter((s) => s.length >= ranks[0] && s.length <= ranks[1])),
  });

const IMAGES: ReadonlyArray<ReadonlyArray<number>> = [
  [2, 3, 7],
  [1, 6, 5],
  [2, 3, 5, 7],
  [1, 4, 5, 3],
  [2, 5, 7, 3],
  [3, 2, 5, 5],
  [1, 2, 3, 5, 4],
  [1, 3, 2, 3, 5],
];

/** A convolution of an image along its spatial axes. */
export function convolve(b: Builder, x: TensorValue, spec: ConvolutionSpec): TensorValue {
  const { random } = b;
  const isTransposed = spec.isTransposed === true;
  const rank = x.shape.length;
  const layout = imageLayout(rank, spec.channelAxis);
  const channels = x.shape[spec.channelAxis] ?? 1;
  const { groups, outputs } = grouped(b, channels, spec.grouping ?? 'one');
  const windows = spatialDims(x.shape, layout).map((dim) => someWindow(b, dim, isTransposed));
  const spatial = SPATIAL[rank - 2] ?? '';
  const kernelLayout = random.pick(
    isTransposed
      ? [`IO${spatial}`, `IO${spatial}`, `${spatial}OI`, `${spatial}IO`]
      : [`OI${spatial}`, `OI${spatial}`, `${spatial}IO`, `O${spatial}I`],
  );
  const dims = new Map([...spatial].map((letter, i) => [letter, windows[i]?.kernel ?? 1]));
  dims.set('O', isTransposed ? outputs / groups : outputs);
  dims.set('I', isTransposed ? channels : channels / groups);
  const weight = weightOf(
    b,
    [...kernelLayout].map((letter) => dims.get(letter) ?? 1),
    x.dtype,
  );
  const strides = windows.map((w) => w.stride);
  const padding = windows.map((w) => w.pad);
  const attrs: Attrs = {
    strides,
    padding: random.chance(0.3) ? [...padding, ...padding] : padding,
    dilation: windows.map((w) => w.dilation),
    groups,
    data_layout: layout,
    kernel_layout: kernelLayout,
    ...(random.chance(0.5) ? { channels: outputs, kernel_size: windows.map((w) => w.kernel) } : {}),
    ...(isTransposed ? { output_padding: strides.map((s) => random.int(0, s - 1)) } : {}),
  };
  return b.tensor(`nn.conv${rank - 2}d${isTransposed ? '_transpose' : ''}`, [x, weight], attrs);
}

function grouped(
  b: Builder,
  channels: number,
  grouping: Grouping,
): { readonly groups: number; readonly outputs: number } {
  if (grouping === 'depthwise') return { groups: channels, outputs: channels * b.random.int(1, 2) };
  const divisors = [2, 3, 5].filter((g) => channels % g === 0 && g < channels);
  if (grouping === 'grouped' && divisors.length > 0) {
    const groups = b.random.pick(divisors);
    return { groups, outputs: groups * b.random.int(1, 2) };
  }
  return { groups: 1, outputs: b.random.pick([2, 3, 4, 5]) };
}

interface Window {
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  readonly pad: number;
}

/** A window that fits along an axis of this size. */
function someWindow(b: Builder, dim: number, isTransposed: boolean): Window {
  const { random } = b;
  const kernel = random.pick([1, 2, 3]);
  const stride = random.chance(0.2) ? 2 : 1;
  const dilation = random.chance(0.15) ? 2 : 1;
  const reach = dilation * (kernel - 1);
  const pad = reach > 1 && random.chance(0.4) ? 1 : 0;
  const fits = isTransposed || reach < dim + 2 * pad;
  return fits ? { kernel, stride, dilation, pad } : { kernel: 1, stride, dilation: 1, pad: 0 };
}

/** A product along an axis of a matrix, or of a stack of them, by a suitable operator. */
export function multiplyMatrices(
  b: Builder,
  x: TensorValue,
  axis: number,
  name: string,
): TensorValue {
  const { random } = b;
  const rank = x.shape.length;
  const inner = x.shape[axis] ?? 1;
  const outputs = random.pick([2, 3, 5]);
  if (name === 'nn.dense') {
    const attrs: Attrs = random.chance(0.5) ? { units: outputs } : {};
    return b.tensor(name, [x, weightOf(b, [outputs, inner], x.dtype)], attrs);
  }
  const transposeB = random.chance(0.5);
  const matrix = transposeB ? [outputs, inner] : [inner, outputs];
  const batch = random.chance(0.3) ? 1 : (x.shape[0] ?? 1);
  const shape = name === 'nn.batch_matmul' ? [batch, ...matrix] : matrix;
  const attrs = { transpose_a: axis === rank - 2, transpose_b: transposeB };
  return b.tensor(name, [x, weightOf(b, shape, x.dtype)], attrs);
}

export function productsAlong(rank: number, axis: number): ReadonlyArray<string> {
  const isLast = axis === rank - 1;
  if (rank < 2 || axis < rank - 2) return [];
  return [...(isLast ? ['nn.dense'] : []), 'nn.matmul', ...(rank === 3 ? ['nn.batch_matmul'] : [])];
}

const someGrouping = (b: Builder): Grouping =>
  b.random.weighted([
    [7, 'one'],
    [2, 'depthwise'],
    [1, 'grouped'],
  ] as const);

/** The axis of channels, mostly first or last, as in models. */
export const someChannelAxis = (b: Builder, rank: number): number =>
  b.random.weighted([
    [6, 1],
    [4, rank - 1],
    [0.5, 0],
  ] as const);

export const convolution =
  ({ rank: axes, isTransposed }: ConvolutionPattern): Sampler =>
  (b) => {
    const rank = axes + 2;
    const x = someImage(b, [rank, rank]);
    return convolve(b, x, {
      channelAxis: someChannelAxis(b, rank),
      isTransposed,
      grouping: isTransposed && b.random.chance(0.8) ? 'one' : someGrouping(b),
    });
  };

const product =
  (isBatch: boolean): Sampler =>
  (b, op) => {
    const x = b.operand({
      rank: isBatch ? [3, 3] : [2, 3],
      fits: (shape) => !shape.includes(0) && sizeOf(shape) <= MAX_ELEMENTS,
      fresh: () => (isBatch ? [2, 3, 5] : [3, 5]),
    });
    const rank = x.shape.length;
    const isInner = op.name !== 'nn.dense' && b.random.chance(0.3);
    return multiplyMatrices(b, x, isInner ? rank - 2 : rank - 1, op.name);
  };

export const contractionSamplers: Samplers = {
  'nn.matmul': product(false),
  'nn.batch_matmul': product(true),
};
