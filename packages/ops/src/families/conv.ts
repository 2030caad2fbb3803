/** Convolutions in 1, 2 and 3 dimensions: one relation and one kernel for all layouts. */

import {
  anyDim,
  type Dim,
  describeDim,
  describeShape,
  isStaticDim,
  multiplyDims,
  type OpInfo,
  type RelationContext,
  type Type,
  tensorType,
} from '@baton/ir';
import { type DType, type Memory, reshapeView, type Tensor } from '@baton/tensor';
import { dtypeOrEmpty, list, naturalInt, orNone, positiveInt, text } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import { sumOfProducts } from '../bounds/rules.ts';
import type { Example } from '../columns.ts';
import { elementCount } from '../cost.ts';
import { defineOp } from '../define-op.ts';
import { dimMismatch, shapeMismatch, wrongRank } from '../diagnostics.ts';
import { type ConvolutionOptions, convolution as runConvolution } from '../kernels/convolution.ts';
import {
  blockSize,
  type Layout,
  layoutDims,
  parseLayout,
  placeOfAxis,
  plainDims,
} from '../layout/layout.ts';
import { repeated, type SpatialRank } from '../layout/spatial.ts';
import { fromPlain, toPlain } from '../layout/transform.ts';
import { dimAgrees } from '../relation/dims.ts';
import { fillArg, isOpen, known, report, sameDType, tensorArg } from '../relation/known.ts';
import {
  layoutAttr,
  paddingLengths,
  paddingLists,
  SPATIAL,
  windowAxes,
  windowDims,
} from '../relation/window.ts';
import { toldPadding } from '../relay-text.ts';
import type { ScaleAxis } from '../scale-axis/scale-axis.ts';

/** The particulars of a convolution. */
export interface Convolution {
  readonly name: string;
  readonly rank: SpatialRank;
  readonly doc: string;
  readonly source: string;
  readonly scaleAxis: ScaleAxis | 'none';
  readonly common?: boolean;
  readonly examples: ReadonlyArray<Example<Partial<ConvAttrs>>>;
}

/** The attributes of a convolution. */
interface ConvAttrs {
  readonly strides: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
  readonly groups: number;
  readonly channels: number | null;
  readonly kernel_size: ReadonlyArray<number> | null;
  readonly data_layout: string;
  readonly kernel_layout: string;
  readonly out_layout: string;
  readonly out_dtype: DType | '';
}

/** A convolution of `rank` spatial axes. */
export function convolution(spec: Convolution): OpInfo {
  const { rank } = spec;
  const spatial = SPATIAL[rank];
  const sizes = list(positiveInt, [rank]);
  return defineOp({
    name: spec.name,
    doc: spec.doc,
    source: spec.source,
    inputs: ['data', 'weight'],
    attrs: attrs({
      strides: withDefault(sizes, repeated(1, rank)),
      padding: withDefault(
        list(naturalInt, paddingLengths(rank)),
        repeated(0, rank === 1 ? 2 : rank),
      ),
      dilation: withDefault(sizes, repeated(1, rank)),
      groups: withDefault(positiveInt, 1),
      channels: withDefault(orNone(positiveInt), null),
      kernel_size: withDefault(orNone(sizes), null),
      data_layout: withDefault(text, `NC${spatial}`),
      kernel_layout: withDefault(text, `OI${spatial}`),
      out_layout: withDefault(text, ''),
      out_dtype: withDefault(dtypeOrEmpty, ''),
    }),
    relation: (args, attrs, context) => convType(args, attrs, rank, context),
    kernel: (args, attrs, out) => convKernel(args.tensor(0), args.tensor(1), attrs, rank, out),
    cost: (args, result, attrs) => convFlops(args, result, attrs, rank),
    fusion: 'out_elemwise_fusable',
    kind: 'product',
    numerics: 'exact',
    domain: 'any',
    bounds: sumOfProducts,
    scaleAxis: spec.scaleAxis,
    ...(spec.common === undefined ? {} : { common: spec.common }),
    sampled: { as: 'convolution', rank, isTransposed: false },
    ownPadding: { kind: 'convolution', layout: 'data_layout' },
    ...(rank === 1 ? { relayText: { told: toldPadding } } : {}),
    examples: spec.examples,
  });
}

interface ConvLayouts {
  readonly data: Layout;
  readonly weight: Layout;
  readonly out: Layout;
  readonly dataLetters: string;
  readonly weightLetters: string;
}

function convType(
  args: ReadonlyArray<Type>,
  attrs: ConvAttrs,
  rank: SpatialRank,
  context: RelationContext,
): Type | undefined {
  const layouts = convLayouts(attrs, rank, context);
  if (layouts === undefined) return undefined;
  const data = tensorArg(args, 0, context);
  if (data === undefined) return undefined;
  if (data.shape.length !== layouts.data.length) {
    const expected = `rank ${layouts.data.length} (${attrs.data_layout})`;
    return report(context, wrongRank('`data`', expected, data.shape.length));
  }
  const input = plainDims(data.shape, layouts.data, layouts.dataLetters);
  const weight = weightDims(args, attrs, input, data.dtype, layouts, context);
  if (weight === undefined) return undefined;
  const channels = outputChannels(input, weight, attrs, layouts, context);
  if (channels === undefined) return undefined;
  // If the size of the kernel is free until the program runs, so is the result's.
  const sizes = weight.slice(2).map((dim, i) => (isStaticDim(dim) ? dim : attrs.kernel_size?.[i]));
  const windows = windowAxes({ ...attrs, kernel: sizes.map((size) => size ?? 1) });
  const within = windowDims(input.slice(2), windows, 'floor', context);
  if (within === undefined) return undefined;
  const places = within.map((dim, i) => (sizes[i] === undefined ? anyDim : dim));
  const plain = [input[0] as Dim, channels, ...places];
  const shape = layoutDims(plain, layouts.dataLetters, layouts.out);
  if (shape === undefined) {
    const block = String(blockSize(layouts.out, 'C'));
    return report(
      context,
      dimMismatch('the channels', `a multiple of ${block}`, describeDim(channels)),
    );
  }
  return tensorType(shape, attrs.out_dtype || data.dtype);
}

function convLayouts(
  attrs: ConvAttrs,
  rank: SpatialRank,
  context: RelationContext,
): ConvLayouts | undefined {
  const dataLetters = `NC${SPATIAL[rank]}`;
  const weightLetters = `OI${SPATIAL[rank]}`;
  const data = layoutAttr('data_layout', attrs.data_layout, dataLetters, context);
  const weight = layoutAttr('kernel_layout', attrs.kernel_layout, weightLetters, context);
  const out = layoutAttr('out_layout', attrs.out_layout || attrs.data_layout, dataLetters, context);
  if (data === undefined || weight === undefined || out === undefined) return undefined;
  return { data, weight, out, dataLetters, weightLetters };
}

/** The weight's dimensions as `(O, I / groups, ...)`; a hole is filled if attributes determine it. */
function weightDims(
  args: ReadonlyArray<Type>,
  attrs: ConvAttrs,
  input: ReadonlyArray<Dim>,
  dtype: Parameters<typeof fillArg>[4],
  layouts: ConvLayouts,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  const arg = args[1];
  if (arg === undefined) return undefined;
  const type = context.resolve(arg);
  const found = type._tag === 'TensorType' ? known(type) : undefined;
  if (found === undefined) {
    if (type._tag !== 'TensorType' && !isOpen(type)) {
      tensorArg(args, 1, context);
      return undefined;
    }
    const { channels, kernel_size: kernel, groups } = attrs;
    if (channels === null || kernel === null || groups > 1) return undefined;
    const plain = [channels, input[1] as Dim, ...kernel];
    const shape = layoutDims(plain, layouts.weightLetters, layouts.weight);
    if (shape === undefined) return undefined;
    return fillArg(args, 1, 'weight', shape, dtype, context) ? plain : undefined;
  }
  if (sameDType(dtype, found.dtype, '`weight`', context) === undefined) return undefined;
  if (found.shape.length !== layouts.weight.length) {
    const expected = `rank ${layouts.weight.length} (${attrs.kernel_layout})`;
    return report(context, wrongRank('`weight`', expected, found.shape.length));
  }
  return plainDims(found.shape, layouts.weight, layouts.weightLetters);
}

/** The channels of the result, checked against data, weight and attributes. */
function outputChannels(
  input: ReadonlyArray<Dim>,
  weight: ReadonlyArray<Dim>,
  attrs: ConvAttrs,
  layouts: ConvLayouts,
  context: RelationContext,
): Dim | undefined {
  const [outputs, inputs, ...kernel] = weight;
  const channels = input[1];
  if (outputs === undefined || inputs === undefined || channels === undefined) return undefined;
  const { groups, kernel_size: size } = attrs;
  if (size !== null && !size.every((k, i) => dimAgrees(kernel[i] as Dim, k))) {
    return report(
      context,
      shapeMismatch(
        'the kernel',
        describeShape(size),
        describeShape(kernel),
        'attribute `kernel_size`',
      ),
    );
  }
  if (isMultipliedDepthwise(channels, outputs, inputs, attrs)) return attrs.channels ?? undefined;
  if (attrs.channels !== null && !dimAgrees(outputs, attrs.channels)) {
    const expected = String(attrs.channels);
    return report(
      context,
      dimMismatch("`weight`'s outputs", expected, describeDim(outputs), 'attribute `channels`'),
    );
  }
  if (typeof outputs === 'number' && outputs % groups !== 0) {
    const expected = `a multiple of groups = ${groups}`;
    return report(context, dimMismatch("`weight`'s outputs", expected, String(outputs)));
  }
  const wanted = multiplyDims(inputs, groups);
  if (!dimAgrees(channels, wanted)) {
    const axis = placeOfAxis(layouts.weight, 'I', 'weight');
    const from = groups === 1 ? axis : `${axis} times groups = ${groups}`;
    const [expected, found] = [describeDim(wanted), describeDim(channels)];
    const hint = channelHint(channels, inputs, input, layouts.data);
    return report(context, dimMismatch("`data`'s channels", expected, found, from, hint));
  }
  return outputs;
}

/** A guess at the intended shape of data whose channels do not fit the weight. */
function channelHint(
  channels: Dim,
  inputs: Dim,
  input: ReadonlyArray<Dim>,
  layout: Layout,
): string | undefined {
  const other = input.findIndex((dim, i) => i > 1 && dimAgrees(dim, inputs));
  if (other > 1) return 'if the channels are another axis of `data`, set `data_layout`';
  const groups = Number(channels) / Number(inputs);
  if (Number.isInteger(groups) && groups > 1)
    return `for a grouped convolution, set groups=${groups}`;
  const at = layout.findIndex((axis) => axis.letter === 'C');
  return `give \`data\` ${describeDim(inputs)} channels in axis ${at}, or \`weight\` ${describeDim(channels)} inputs`;
}

/** A depthwise weight `(C, m, ...)` for `C * m` outputs, recognized by channels and size. */
function isMultipliedDepthwise(
  channels: Dim,
  outputs: Dim,
  inputs: Dim,
  attrs: ConvAttrs,
): boolean {
  return (
    attrs.groups > 1 &&
    attrs.channels !== null &&
    attrs.kernel_size !== null &&
    channels === attrs.groups &&
    outputs === channels &&
    inputs !== 1 &&
    typeof inputs === 'number' &&
    attrs.channels === attrs.groups * inputs
  );
}

function convKernel(
  data: Tensor,
  weight: Tensor,
  attrs: ConvAttrs,
  rank: SpatialRank,
  memory: Memory,
): Tensor {
  const dataLetters = `NC${SPATIAL[rank]}`;
  const plain = convolve(
    plainOf(data, attrs.data_layout, dataLetters, memory),
    plainOf(weight, attrs.kernel_layout, `OI${SPATIAL[rank]}`, memory),
    {
      strides: attrs.strides,
      padding: paddingLists(attrs.padding, rank),
      dilation: attrs.dilation,
      groups: attrs.groups,
      ...(attrs.out_dtype === '' ? {} : { outDtype: attrs.out_dtype }),
    },
    memory,
  );
  const layout = attrs.out_layout || attrs.data_layout;
  if (layout === dataLetters) return plain;
  return fromPlain(plain, dataLetters, parseLayout(layout) ?? [], memory);
}

/** The kernel's weight is always `(outputs, inputs / groups, ...)`. */
function convolve(
  data: Tensor,
  weight: Tensor,
  options: ConvolutionOptions,
  memory: Memory,
): Tensor {
  const [outputs = 0, inputs = 0, ...size] = weight.shape;
  const perGroup = (data.shape[1] as number) / options.groups;
  if (inputs === perGroup) return runConvolution(data, weight, options, memory);
  // A depthwise weight (C, m, ...): each channel has its m outputs in a row.
  const filters = reshapeView(weight, [outputs * inputs, 1, ...size], memory);
  return runConvolution(data, filters, options, memory);
}

/** The tensor with one axis per letter; a plain layout costs nothing. */
const plainOf = (t: Tensor, layout: string, letters: string, memory: Memory): Tensor =>
  layout === letters ? t : toPlain(t, parseLayout(layout) ?? [], letters, memory);

function convFlops(
  args: ReadonlyArray<Type>,
  result: Type,
  attrs: ConvAttrs,
  rank: SpatialRank,
): number {
  const layout = parseLayout(attrs.out_layout || attrs.data_layout);
  if (result._tag !== 'TensorType' || '_tag' in result.shape || layout === undefined) return 0;
  const channels = plainDims(result.shape, layout, `NC${SPATIAL[rank]}`)[1];
  const weight = args[1];
  if (weight === undefined || typeof channels !== 'number' || channels === 0) return 0;
  return (2 * elementCount(result) * elementCount(weight)) / channels;
}
