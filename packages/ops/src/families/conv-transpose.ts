/** Transposed convolutions in 1, 2 and 3 dimensions. */

import {
  addDims,
  anyDim,
  type Dim,
  type Expr,
  isStaticDim,
  multiplyDims,
  type OpInfo,
  type RelationContext,
  type Type,
} from '@baton/ir';
import type { Memory, Tensor } from '@baton/tensor';
import { list, naturalInt } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import { defineOp } from '../define-op.ts';
import { exact } from '../definition/column.ts';
import type { DefinitionSite } from '../definition/site.ts';
import { badExtent, dimMismatch } from '../diagnostics.ts';
import { transposedGradient } from '../gradient/convolution.ts';
import { type ConvolutionOptions, convolutionTranspose } from '../kernels/convolution.ts';
import { placeOfAxis } from '../layout/layout.ts';
import { repeated, SPATIAL_AXES, type SpatialRank } from '../layout/spatial.ts';
import { dimAgrees } from '../relation/dims.ts';
import { SPATIAL, typeInLayout } from '../relation/in-layout.ts';
import { report } from '../relation/known.ts';
import { paddingPairs } from '../relation/window.ts';
import { convolutionLayouts, convolved } from '../relayout/rules.ts';
import { transposedConvolutionScale } from '../scale-axis/products.ts';
import {
  type Convolving,
  type ConvolvingAttrs,
  convolvingProps,
  kernelAgrees,
  operandsOf,
  outputsAgree,
  perChannelFlops,
  runPlain,
} from './convolving.ts';

export interface TransposeAttrs extends ConvolvingAttrs {
  readonly output_padding: ReadonlyArray<number>;
}

/** `rank` is the number of spatial axes; the weight is (I, O / groups, ...). */
export function transposedConvolution(spec: Convolving<TransposeAttrs>): OpInfo {
  const { rank, examples, ...facts } = spec;
  const [letters, weightLetters] = [`NC${SPATIAL[rank]}`, `IO${SPATIAL[rank]}`];
  return defineOp({
    ...facts,
    doc: `The transpose of a convolution over ${SPATIAL_AXES[rank]}: adds each element times the kernel.`,
    signature: {
      source: 'operators §5; ONNX ConvTranspose-11',
      inputs: ['data', 'weight'],
      attrs: attrs(transposedProps(rank, weightLetters)),
      relation: (args, given, context) =>
        transposeType(args, given, letters, weightLetters, context),
      examples,
    },
    kernel: (args, attrs, out) =>
      runPlain(transposing(attrs), args, attrs, letters, weightLetters, out),
    // Each element of the data is multiplied by each weight of its input channel.
    cost: ([data, weight], _result, attrs) =>
      perChannelFlops(data, attrs.data_layout, letters, weight),
    kind: 'product',
    gradient: transposedGradient,
    definition: exact((site) => asProduct(site, rank, letters, weightLetters)),
    sampled: { as: 'convolution', rank, isTransposed: true },
    relayout: convolved,
    layoutAttributes: convolutionLayouts(weightLetters),
    scaleAxis: transposedConvolutionScale,
  });
}

/**
 * A call whose windows do not overlap, as a convolution with a kernel of one element, whose
 * channels are then moved to the pixels of the windows. `undefined` for other calls.
 */
function asProduct(
  { args, attrs: given, sizes, op, reshape, transpose }: DefinitionSite<TransposeAttrs>,
  rank: SpatialRank,
  letters: string,
  weightLetters: string,
): Expr | undefined {
  const [data, weight] = args;
  const [batch, inputs, ...grid] = sizes(0) as [number, number, ...number[]];
  const [, outputs, ...kernel] = sizes(1) as [number, number, ...number[]];
  const isPlain =
    given.groups === 1 &&
    given.data_layout === letters &&
    given.kernel_layout === weightLetters &&
    (given.out_layout === '' || given.out_layout === letters);
  const areSideBySide =
    kernel.every((size, i) => size === given.strides[i]) &&
    given.dilation.every((step) => step === 1) &&
    [...given.padding, ...given.output_padding].every((width) => width === 0);
  if (!isPlain || !areSideBySide) return undefined;
  const axes = grid.map((_, i) => i);
  const channels = kernel.reduce((product, size) => product * size, outputs);
  const rows = transpose(weight, [1, ...axes.map((i) => 2 + i), 0]);
  const one = repeated(1, rank);
  const product = op(`nn.conv${rank}d`, [data, reshape(rows, [channels, inputs, ...one])], {
    ...{ channels, kernel_size: one, strides: one, padding: repeated(0, rank) },
    out_dtype: given.out_dtype,
  });
  const windows = reshape(product, [batch, outputs, ...kernel, ...grid]);
  const places = axes.flatMap((i) => [2 + rank + i, 2 + i]);
  const result = grid.map((size, i) => size * (kernel[i] as number));
  return reshape(transpose(windows, [0, 1, ...places]), [batch, outputs, ...result]);
}

/** A plain weight has the layout `weightLetters`. */
export function transposedProps(rank: SpatialRank, weightLetters: string) {
  const { channels, kernel_size, strides, padding, ...rest } = convolvingProps(rank, weightLetters);
  return {
    channels,
    kernel_size,
    strides,
    padding,
    output_padding: withDefault(list(naturalInt, [rank]), repeated(0, rank)),
    ...rest,
  } as const;
}

export const transposing =
  ({ output_padding: outputPadding }: Pick<TransposeAttrs, 'output_padding'>) =>
  (data: Tensor, weight: Tensor, options: ConvolutionOptions, memory: Memory): Tensor =>
    convolutionTranspose(data, weight, { ...options, outputPadding }, memory);

export function transposeType(
  args: ReadonlyArray<Type>,
  attrs: TransposeAttrs,
  letters: string,
  weightLetters: string,
  context: RelationContext,
): Type | undefined {
  const operands = operandsOf(args, attrs, letters, weightLetters, context);
  if (operands === undefined) return undefined;
  const [batch, channels, ...spatial] = operands.data as readonly [Dim, Dim, ...Dim[]];
  const [inputs, outputsPerGroup, ...kernel] = operands.weight as readonly [Dim, Dim, ...Dim[]];
  if (!dimAgrees(inputs, channels)) {
    const from = placeOfAxis(operands.weightLayout, 'I', 'weight');
    return report(context, dimMismatch("`data`'s channels", inputs, channels, from));
  }
  if (typeof inputs === 'number' && inputs % attrs.groups !== 0) {
    const expected = `a multiple of groups = ${attrs.groups}`;
    return report(context, dimMismatch("`weight`'s inputs", expected, inputs));
  }
  const outputs = multiplyDims(outputsPerGroup, attrs.groups);
  if (!outputsAgree(attrs, outputs, context) || !kernelAgrees(attrs, kernel, context)) {
    return undefined;
  }
  const places = grownDims(spatial, kernel, attrs, context);
  if (places === undefined) return undefined;
  const dtype = attrs.out_dtype || operands.dtype;
  return typeInLayout([batch, outputs, ...places], letters, operands.outLayout, dtype, context);
}

/** `(in − 1) · stride − pads + (kernel − 1) · dilation + 1 + output_padding` along each axis. */
function grownDims(
  spatial: ReadonlyArray<Dim>,
  kernel: ReadonlyArray<Dim>,
  attrs: TransposeAttrs,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  const pads = paddingPairs(attrs.padding, kernel.length);
  const dims = kernel.map((size, i): Dim => {
    // If the kernel size is unknown until the program runs, so is the result's.
    if (!isStaticDim(size)) return anyDim;
    const [before, after] = pads[i] ?? [0, 0];
    const reach = (size - 1) * (attrs.dilation[i] ?? 1) + 1 + (attrs.output_padding[i] ?? 0);
    const stride = attrs.strides[i] ?? 1;
    return addDims(multiplyDims(spatial[i] as Dim, stride), reach - stride - before - after);
  });
  const negative = dims.findIndex((dim) => typeof dim === 'number' && dim < 0);
  if (negative < 0) return dims;
  return report(
    context,
    badExtent(`spatial axis ${negative}`, 'padding removes more than there is'),
  );
}
