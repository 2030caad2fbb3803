/** Transposed convolutions in 1, 2 and 3 dimensions. */
import {
  addDims,
  anyDim,
  type Dim,
  type DTypeTerm,
  describeDim,
  describeShape,
  isStaticDim,
  multiplyDims,
  type OpInfo,
  type RelationContext,
  type Type,
  tensorType,
} from '@baton/ir';
import type { DType, Memory, Tensor } from '@baton/tensor';
import { dtypeOrEmpty, list, naturalInt, orNone, positiveInt, text } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import { sumOfProducts } from '../bounds/rules.ts';
import type { Example } from '../columns.ts';
import { elementCount } from '../cost.ts';
import { defineOp } from '../define-op.ts';
import { badExtent, dimMismatch, shapeMismatch, wrongRank } from '../diagnostics.ts';
import { convolutionTranspose } from '../kernels/convolution.ts';
import { type Layout, layoutDims, parseLayout, placeOfAxis, plainDims } from '../layout/layout.ts';
import { repeated, type SpatialRank } from '../layout/spatial.ts';
import { fromPlain, toPlain } from '../layout/transform.ts';
import { dimAgrees } from '../relation/dims.ts';
import { fillArg, isOpen, known, report, sameDType, tensorArg } from '../relation/known.ts';
import {
  layoutAttr,
  paddingLengths,
  paddingLists,
  paddingPairs,
  SPATIAL,
} from '../relation/window.ts';
import { transposedConvolutionScale } from '../scale-axis/products.ts';

/** The particulars of a transposed convolution. */
export interface TransposedConvolution {
  readonly name: string;
  readonly rank: SpatialRank;
  readonly doc: string;
  readonly source: string;
  readonly examples: ReadonlyArray<Example<Partial<TransposeAttrs>>>;
}

interface TransposeAttrs {
  readonly channels: number | null;
  readonly kernel_size: ReadonlyArray<number> | null;
  readonly strides: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly output_padding: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
  readonly groups: number;
  readonly data_layout: string;
  readonly kernel_layout: string;
  readonly out_layout: string;
  readonly out_dtype: DType | '';
}

/** A transposed convolution of `rank` spatial axes; its weight is (I, O / groups, ...). */
export function transposedConvolution(spec: TransposedConvolution): OpInfo {
  const { rank, ...facts } = spec;
  const spatial = SPATIAL[rank];
  const sizes = list(positiveInt, [rank]);
  return defineOp({
    ...facts,
    inputs: ['data', 'weight'],
    attrs: attrs({
      channels: withDefault(orNone(positiveInt), null),
      kernel_size: withDefault(orNone(sizes), null),
      strides: withDefault(sizes, repeated(1, rank)),
      padding: withDefault(list(naturalInt, paddingLengths(rank)), repeated(0, rank)),
      output_padding: withDefault(list(naturalInt, [rank]), repeated(0, rank)),
      dilation: withDefault(sizes, repeated(1, rank)),
      groups: withDefault(positiveInt, 1),
      data_layout: withDefault(text, `NC${spatial}`),
      kernel_layout: withDefault(text, `IO${spatial}`),
      out_layout: withDefault(text, ''),
      out_dtype: withDefault(dtypeOrEmpty, ''),
    }),
    relation: (args, attrs, context) => transposeType(args, attrs, rank, context),
    kernel: (args, attrs, out) => transposeKernel(args.tensor(0), args.tensor(1), attrs, rank, out),
    cost: (args, _result, attrs) => transposeFlops(args, attrs, rank),
    fusion: 'out_elemwise_fusable',
    kind: 'product',
    numerics: 'exact',
    domain: 'any',
    bounds: sumOfProducts,
    sampled: { as: 'convolution', rank, isTransposed: true },
    scaleAxis: transposedConvolutionScale,
  });
}

function transposeType(
  args: ReadonlyArray<Type>,
  attrs: TransposeAttrs,
  rank: SpatialRank,
  context: RelationContext,
): Type | undefined {
  const letters = `NC${SPATIAL[rank]}`;
  const layout = layoutAttr('data_layout', attrs.data_layout, letters, context);
  const outLayout = layoutAttr(
    'out_layout',
    attrs.out_layout || attrs.data_layout,
    letters,
    context,
  );
  const weightLetters = `IO${SPATIAL[rank]}`;
  const weightLayout = layoutAttr('kernel_layout', attrs.kernel_layout, weightLetters, context);
  if (layout === undefined || outLayout === undefined || weightLayout === undefined) {
    return undefined;
  }
  const data = tensorArg(args, 0, context);
  if (data === undefined) return undefined;
  if (data.shape.length !== layout.length) {
    const expected = `rank ${layout.length} (${attrs.data_layout})`;
    return report(context, wrongRank('`data`', expected, data.shape.length));
  }
  const [batch, channels, ...spatial] = plainDims(data.shape, layout, letters);
  if (batch === undefined || channels === undefined) return undefined;
  const weight = weightDims(args, attrs, channels, data.dtype, weightLayout, rank, context);
  if (weight === undefined) return undefined;
  const [inputs, outputsPerGroup, ...kernel] = weight;
  if (inputs === undefined || outputsPerGroup === undefined) return undefined;
  if (!dimAgrees(inputs, channels)) {
    const from = placeOfAxis(weightLayout, 'I', 'weight');
    const [expected, found] = [describeDim(inputs), describeDim(channels)];
    return report(context, dimMismatch("`data`'s channels", expected, found, from));
  }
  if (typeof inputs === 'number' && inputs % attrs.groups !== 0) {
    const expected = `a multiple of groups = ${attrs.groups}`;
    return report(context, dimMismatch("`weight`'s inputs", expected, String(inputs)));
  }
  const outputs = multiplyDims(outputsPerGroup, attrs.groups);
  if (attrs.channels !== null && !dimAgrees(outputs, attrs.channels)) {
    const expected = String(attrs.channels);
    return report(
      context,
      dimMismatch("`weight`'s outputs", expected, describeDim(outputs), 'attribute `channels`'),
    );
  }
  const sizes = attrs.kernel_size;
  if (sizes !== null && !sizes.every((k, i) => dimAgrees(kernel[i] as Dim, k))) {
    return report(
      context,
      shapeMismatch(
        'the kernel',
        describeShape(sizes),
        describeShape(kernel),
        'attribute `kernel_size`',
      ),
    );
  }
  const places = grownDims(spatial, kernel, attrs, context);
  if (places === undefined) return undefined;
  const shape = layoutDims([batch, outputs, ...places], letters, outLayout);
  if (shape !== undefined) return tensorType(shape, attrs.out_dtype || data.dtype);
  const expected = `channels that fit ${attrs.out_layout || attrs.data_layout}`;
  return report(context, dimMismatch('the result', expected, describeDim(outputs)));
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
    // If the size of the kernel is free until the program runs, so is the result's.
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

/** The weight's dimensions as (I, O / groups, ...); a hole is filled if attributes determine it. */
function weightDims(
  args: ReadonlyArray<Type>,
  attrs: TransposeAttrs,
  inputs: Dim,
  dtype: DTypeTerm,
  layout: Layout,
  rank: SpatialRank,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  const arg = args[1];
  if (arg === undefined) return undefined;
  const letters = `IO${SPATIAL[rank]}`;
  const type = context.resolve(arg);
  const found = type._tag === 'TensorType' ? known(type) : undefined;
  if (found !== undefined) {
    if (sameDType(dtype, found.dtype, '`weight`', context) === undefined) return undefined;
    if (found.shape.length === layout.length) return plainDims(found.shape, layout, letters);
    const expected = `rank ${layout.length} (${attrs.kernel_layout})`;
    return report(context, wrongRank('`weight`', expected, found.shape.length));
  }
  if (type._tag !== 'TensorType' && !isOpen(type)) {
    tensorArg(args, 1, context);
    return undefined;
  }
  const { channels, kernel_size: kernel, groups } = attrs;
  if (channels === null || kernel === null || groups > 1) return undefined;
  const plain = [inputs, channels, ...kernel];
  const shape = layoutDims(plain, letters, layout);
  if (shape === undefined) return undefined;
  return fillArg(args, 1, 'weight', shape, dtype, context) ? plain : undefined;
}

function transposeKernel(
  data: Tensor,
  weight: Tensor,
  attrs: TransposeAttrs,
  rank: SpatialRank,
  memory: Memory,
): Tensor {
  const letters = `NC${SPATIAL[rank]}`;
  const parsed = (layout: string) => parseLayout(layout) ?? [];
  const plain = convolutionTranspose(
    toPlain(data, parsed(attrs.data_layout), letters, memory),
    toPlain(weight, parsed(attrs.kernel_layout), `IO${SPATIAL[rank]}`, memory),
    {
      strides: attrs.strides,
      padding: paddingLists(attrs.padding, rank),
      dilation: attrs.dilation,
      groups: attrs.groups,
      outputPadding: attrs.output_padding,
      ...(attrs.out_dtype === '' ? {} : { outDtype: attrs.out_dtype }),
    },
    memory,
  );
  return fromPlain(plain, letters, parsed(attrs.out_layout || attrs.data_layout), memory);
}

/** Each element of the data meets each weight of its input channel. */
function transposeFlops(
  args: ReadonlyArray<Type>,
  attrs: TransposeAttrs,
  rank: SpatialRank,
): number {
  const [data, weight] = args;
  const layout = parseLayout(attrs.data_layout);
  if (data?._tag !== 'TensorType' || '_tag' in data.shape || layout === undefined) return 0;
  const channels = plainDims(data.shape, layout, `NC${SPATIAL[rank]}`)[1];
  if (weight === undefined || typeof channels !== 'number' || channels === 0) return 0;
  return (2 * elementCount(data) * elementCount(weight)) / channels;
}
