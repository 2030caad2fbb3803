/** The common parts of convolutions and transposed convolutions. */
import type { Dim, DTypeTerm, RelationContext, Type } from '@baton/ir';
import type { Memory, Tensor } from '@baton/tensor';
import { dtypeOrEmpty, list, naturalInt, orNone, positiveInt, text } from '../attrs/codecs.ts';
import { type AttrsOf, withDefault } from '../attrs/schema.ts';
import type { Example } from '../columns.ts';
import { elementCount } from '../cost.ts';
import type { Facts } from '../define-op.ts';
import { dimMismatch, shapeMismatch } from '../diagnostics.ts';
import type { KernelArgs } from '../kernel.ts';
import type { ConvolutionOptions } from '../kernels/convolution.ts';
import { type Layout, layoutDims, parseLayout, plainDims } from '../layout/layout.ts';
import { repeated, type SpatialRank } from '../layout/spatial.ts';
import { fromPlain, toPlain } from '../layout/transform.ts';
import type { OnIntegers } from '../on-integers/column.ts';
import { dimAgrees } from '../relation/dims.ts';
import { dimsInLayout, layoutAttr, SPATIAL } from '../relation/in-layout.ts';
import { report, tensorArg, tensorOrFilled } from '../relation/known.ts';
import { paddingLengths, paddingLists } from '../relation/window.ts';

/** A plain weight has the layout `weightLetters`. */
export function convolvingProps(rank: SpatialRank, weightLetters: string) {
  const sizes = list(positiveInt, [rank]);
  return {
    strides: withDefault(sizes, repeated(1, rank)),
    padding: withDefault(list(naturalInt, paddingLengths(rank)), repeated(0, rank)),
    dilation: withDefault(sizes, repeated(1, rank)),
    groups: withDefault(positiveInt, 1),
    channels: withDefault(orNone(positiveInt), null),
    kernel_size: withDefault(orNone(sizes), null),
    data_layout: withDefault(text, `NC${SPATIAL[rank]}`),
    kernel_layout: withDefault(text, weightLetters),
    out_layout: withDefault(text, ''),
    out_dtype: withDefault(dtypeOrEmpty, ''),
  } as const;
}

export type ConvolvingAttrs = AttrsOf<ReturnType<typeof convolvingProps>>;

export interface Convolving<A> extends Facts<'name'>, Partial<Facts<'quantizing'>> {
  readonly rank: SpatialRank;
  readonly onIntegers?: OnIntegers<A>;
  readonly examples: ReadonlyArray<Example<Partial<A>>>;
}

export interface Operands {
  /** (N, C, spatial...). */
  readonly data: ReadonlyArray<Dim>;
  readonly dataLayout: Layout;
  /** In the order of the letters of the weight. */
  readonly weight: ReadonlyArray<Dim>;
  readonly weightLayout: Layout;
  readonly outLayout: Layout;
  readonly letters: string;
  readonly dtype: DTypeTerm;
}

/**
 * The operands of a call; open sizes of the weight are filled in if the attributes determine them.
 */
export function operandsOf(
  args: ReadonlyArray<Type>,
  attrs: ConvolvingAttrs,
  letters: string,
  weightLetters: string,
  context: RelationContext,
): Operands | undefined {
  const dataLayout = layoutAttr('data_layout', attrs.data_layout, letters, context);
  const weightLayout = layoutAttr('kernel_layout', attrs.kernel_layout, weightLetters, context);
  const outName = attrs.out_layout || attrs.data_layout;
  const outLayout = layoutAttr('out_layout', outName, letters, context);
  if (dataLayout === undefined || weightLayout === undefined || outLayout === undefined) {
    return undefined;
  }
  const given = tensorArg(args, 0, context);
  if (given === undefined) return undefined;
  const data = dimsInLayout(given, '`data`', dataLayout, attrs.data_layout, letters, context);
  if (data === undefined) return undefined;
  const { dtype } = given;
  const stated = statedWeight(attrs, data[1] as Dim, weightLetters);
  const shape = stated && layoutDims(stated, weightLetters, weightLayout);
  const found = tensorOrFilled(args, 1, 'weight', shape, dtype, context);
  const weight =
    found &&
    dimsInLayout(found, '`weight`', weightLayout, attrs.kernel_layout, weightLetters, context);
  return weight && { data, dataLayout, weight, weightLayout, outLayout, letters, dtype };
}

function statedWeight(
  { channels, kernel_size: kernel, groups }: ConvolvingAttrs,
  inputs: Dim,
  weightLetters: string,
): ReadonlyArray<Dim> | undefined {
  if (channels === null || kernel === null || groups > 1) return undefined;
  const pair = weightLetters.startsWith('O') ? [channels, inputs] : [inputs, channels];
  return [...pair, ...kernel];
}

/** Whether the kernel size agrees with the attribute; reports if not. */
export function kernelAgrees(
  { kernel_size: size }: ConvolvingAttrs,
  kernel: ReadonlyArray<Dim>,
  context: RelationContext,
): boolean {
  if (size === null || size.every((k, i) => dimAgrees(kernel[i] as Dim, k))) return true;
  report(context, shapeMismatch('the kernel', size, kernel, 'attribute `kernel_size`'));
  return false;
}

/** Whether the outputs of the weight agree with the attribute; reports if not. */
export function outputsAgree(
  { channels }: ConvolvingAttrs,
  outputs: Dim,
  context: RelationContext,
): boolean {
  if (channels === null || dimAgrees(outputs, channels)) return true;
  report(context, dimMismatch("`weight`'s outputs", channels, outputs, 'attribute `channels`'));
  return false;
}

/** Runs a kernel of plain operands and result in the layouts of a call. */
export function runPlain(
  kernel: (data: Tensor, weight: Tensor, options: ConvolutionOptions, memory: Memory) => Tensor,
  args: KernelArgs,
  attrs: ConvolvingAttrs,
  letters: string,
  weightLetters: string,
  memory: Memory,
): Tensor {
  const plain = kernel(
    toPlain(args.tensor(0), attrs.data_layout, letters, memory),
    toPlain(args.tensor(1), attrs.kernel_layout, weightLetters, memory),
    {
      strides: attrs.strides,
      padding: paddingLists(attrs.padding, letters.length - 2),
      dilation: attrs.dilation,
      groups: attrs.groups,
      ...(attrs.out_dtype === '' ? {} : { outDtype: attrs.out_dtype }),
    },
    memory,
  );
  return fromPlain(plain, letters, attrs.out_layout || attrs.data_layout, memory);
}

/** Each element of an image is multiplied by the weights of its channel. */
export function perChannelFlops(
  image: Type | undefined,
  layoutName: string,
  letters: string,
  weight: Type | undefined,
): number {
  const layout = parseLayout(layoutName);
  if (image?._tag !== 'TensorType' || '_tag' in image.shape || layout === undefined) return 0;
  const channels = plainDims(image.shape, layout, letters)[1];
  if (weight === undefined || typeof channels !== 'number' || channels === 0) return 0;
  return (2 * elementCount(image) * elementCount(weight)) / channels;
}
