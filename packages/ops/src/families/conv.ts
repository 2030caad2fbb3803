/** Convolutions in 1, 2 and 3 dimensions: one relation and one kernel for all layouts. */

import {
  type Attrs,
  anyDim,
  type Dim,
  describeDim,
  isStaticDim,
  multiplyDims,
  type OpInfo,
  type RelationContext,
  type Type,
} from '@baton/ir';
import type { Memory, Shape, Tensor } from '@baton/tensor';
import { oneOf } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import { CONVOLUTION_ALGORITHMS } from '../convolution-algorithm.ts';
import { defineOp, type Facts } from '../define-op.ts';
import { dimMismatch } from '../diagnostics.ts';
import { type Convolution as Convolved, convolutionOf } from '../form/contraction.ts';
import type { ContractForm } from '../form/form.ts';
import { convolutionGradient } from '../gradient/convolution.ts';
import { type Contraction, contract } from '../kernels/contraction.ts';
import type { ConvolutionOptions } from '../kernels/convolution.ts';
import { windowCounts } from '../kernels/pool.ts';
import { type Layout, parseLayoutOf, placeOfAxis } from '../layout/layout.ts';
import { SPATIAL_AXES, type SpatialRank } from '../layout/spatial.ts';
import { dimAgrees } from '../relation/dims.ts';
import { SPATIAL, typeInLayout } from '../relation/in-layout.ts';
import { report } from '../relation/known.ts';
import { paddingLists, windowAxes, windowDims } from '../relation/window.ts';
import { toldPadding } from '../relay-text.ts';
import { convolutionLayouts } from '../relayout/rules.ts';
import { layoutAttr, letterAxes } from '../scale-axis/layout.ts';
import {
  type Convolving,
  type ConvolvingAttrs,
  convolvingProps,
  kernelAgrees,
  type Operands,
  operandsOf,
  outputsAgree,
  perChannelFlops,
  runPlain,
} from './convolving.ts';

export type Convolution = Convolving<ConvolvingAttrs> & Facts<'scaleAxis' | 'common'>;

/** How an executor may compute the sums; it affects their last bits. */
const algorithm = withDefault(oneOf(...CONVOLUTION_ALGORITHMS), '');

export function convolution(spec: Convolution): OpInfo {
  const { rank, examples, ...facts } = spec;
  const [letters, weightLetters] = [`NC${SPATIAL[rank]}`, `OI${SPATIAL[rank]}`];
  const props = convolvingProps(rank, weightLetters);
  const both = withDefault(props.padding.codec, [0, 0]);
  return defineOp({
    ...facts,
    doc: `Cross-correlation over ${SPATIAL_AXES[rank]}, in any layout of the data and the weight.`,
    signature: {
      source: `operators §5; Relay v0.14 ${facts.name}; ONNX Conv-11`,
      inputs: ['data', 'weight'],
      attrs: attrs({
        ...props,
        ...(rank === 1 ? { padding: both } : {}),
        ...(rank === 2 ? { algorithm } : {}),
      }),
      relation: (args, given, context) => convType(args, given, letters, weightLetters, context),
      ...(rank === 1 ? { relayText: { told: toldPadding } } : {}),
      examples,
    },
    form: {
      _tag: 'Contract',
      ownPadding: 'convolution',
      joining: { axis: outputsAxis, size: 'channels', restated: ['kernel_size'] },
      contraction: convolutionContraction(rank),
    },
    // In blocked layouts.
    kernel: (args, attrs, out) => runPlain(convolve, args, attrs, letters, weightLetters, out),
    // Each element of the result uses all weights of its channel, in blocked layouts as well.
    cost: (args, result, attrs) =>
      perChannelFlops(result, attrs.out_layout || attrs.data_layout, letters, args[1]),
    gradient: convolutionGradient,
    sampled: { as: 'convolution', rank, isTransposed: false },
    layoutAttributes: convolutionLayouts(weightLetters),
  });
}

export const convolutionContraction =
  (rank: SpatialRank): ContractForm<ConvolvingAttrs>['contraction'] =>
  (given, shapes, result) => {
    const [letters, weightLetters] = [`NC${SPATIAL[rank]}`, `OI${SPATIAL[rank]}`];
    const { data_layout: data, kernel_layout: weight, out_layout: out } = given;
    const axes = {
      data: plainOrder(data, letters),
      weight: plainOrder(weight, weightLetters),
      result: plainOrder(out || data, letters),
    };
    if (!axes.data || !axes.weight || !axes.result) return undefined;
    const { strides, dilation, groups } = given;
    const padding = paddingLists(given.padding, rank);
    const options = { strides, dilation, groups, padding };
    const [x, w] = shapes as readonly [Shape, Shape];
    return convolutionOf({ ...options, axes: axes as Convolved['axes'] }, [x, w], result);
  };

/** The axes of a layout without blocks, in the order of these letters. */
function plainOrder(text: string, letters: string): ReadonlyArray<number> | undefined {
  const layout = parseLayoutOf(text, letters);
  if (layout === undefined || layout.length !== letters.length) return undefined;
  return [...letters].map((letter) => layout.findIndex((axis) => axis.letter === letter));
}

/** The axis of all outputs of a weight; `undefined` with groups, or in a blocked layout. */
function outputsAxis(attrs: Attrs): number | undefined {
  const axes = letterAxes(layoutAttr(attrs, 'kernel_layout'), 'O');
  return attrs.groups === 1 && axes?.block === undefined ? axes?.main : undefined;
}

export function convType(
  args: ReadonlyArray<Type>,
  attrs: ConvolvingAttrs,
  letters: string,
  weightLetters: string,
  context: RelationContext,
): Type | undefined {
  const operands = operandsOf(args, attrs, letters, weightLetters, context);
  if (operands === undefined) return undefined;
  const { data, weight } = operands;
  const channels = outputChannels(operands, attrs, context);
  if (channels === undefined) return undefined;
  // If the kernel size is unknown until the program runs, so is the result's.
  const sizes = weight.slice(2).map((dim, i) => (isStaticDim(dim) ? dim : attrs.kernel_size?.[i]));
  const windows = windowAxes({ ...attrs, kernel: sizes.map((size) => size ?? 1) });
  const within = windowDims(data.slice(2), windows, 'floor', context);
  if (within === undefined) return undefined;
  const places = within.map((dim, i) => (sizes[i] === undefined ? anyDim : dim));
  const plain = [data[0] as Dim, channels, ...places];
  const dtype = attrs.out_dtype || operands.dtype;
  return typeInLayout(plain, letters, operands.outLayout, dtype, context);
}

function outputChannels(
  { data, dataLayout, weight, weightLayout }: Operands,
  attrs: ConvolvingAttrs,
  context: RelationContext,
): Dim | undefined {
  const [outputs, inputs, ...kernel] = weight as readonly [Dim, Dim, ...Dim[]];
  const channels = data[1] as Dim;
  const { groups } = attrs;
  if (!kernelAgrees(attrs, kernel, context)) return undefined;
  if (isMultipliedDepthwise(channels, outputs, inputs, attrs)) return attrs.channels ?? undefined;
  if (!outputsAgree(attrs, outputs, context)) return undefined;
  if (typeof outputs === 'number' && outputs % groups !== 0) {
    const expected = `a multiple of groups = ${groups}`;
    return report(context, dimMismatch("`weight`'s outputs", expected, outputs));
  }
  const wanted = multiplyDims(inputs, groups);
  if (!dimAgrees(channels, wanted)) {
    const axis = placeOfAxis(weightLayout, 'I', 'weight');
    const from = groups === 1 ? axis : `${axis} times groups = ${groups}`;
    const hint = channelHint(channels, inputs, data, dataLayout);
    return report(context, dimMismatch("`data`'s channels", wanted, channels, from, hint));
  }
  return outputs;
}

/** Suggests the intended shape of data whose channels do not fit the weight. */
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
  attrs: ConvolvingAttrs,
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

/** A convolution in the layouts NC…, OI…, NC…, as a contraction. */
export function plainConvolution(
  options: Omit<ConvolutionOptions, 'outDtype'>,
  shapes: readonly [Shape, Shape],
  result: Shape,
): Contraction {
  const axes = result.map((_, axis) => axis);
  const convolution = { ...options, axes: { data: axes, weight: axes, result: axes } };
  return convolutionOf(convolution, shapes, result);
}

/** The kernel for plain operands; the weight is `(outputs, inputs / groups, ...)`. */
export function convolve(
  data: Tensor,
  weight: Tensor,
  options: ConvolutionOptions,
  memory: Memory,
): Tensor {
  const [batch, channels, ...input] = data.shape as readonly [number, number, ...number[]];
  const [outputs, inputs, ...size] = weight.shape as readonly [number, number, ...number[]];
  // A depthwise weight (C, m, ...) has m outputs for each channel.
  const made = inputs * options.groups === channels ? outputs : outputs * inputs;
  const result = [batch, made, ...windowCounts(input, size, options)];
  const spec = plainConvolution(options, [data.shape, weight.shape], result);
  return contract(spec, [data, weight], options.outDtype ?? data.dtype, memory);
}
