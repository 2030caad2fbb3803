/** Convolutions of quantized integers. */
import type { OpInfo, RelationContext, Type } from '@baton/ir';
import { oneOf } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import { defineOp } from '../define-op.ts';
import { define, type FormulaCase } from '../definition/column.ts';
import type { FactSite } from '../definition/site.ts';
import type { KernelArgs, Out } from '../kernel.ts';
import { centred } from '../kernels/quantized.ts';
import { SPATIAL_AXES } from '../layout/spatial.ts';
import { SPATIAL } from '../relation/in-layout.ts';
import { areParameters, asSums, integersArg, sizeAlong } from '../relation/quantized.ts';
import { letterAxes } from '../scale-axis/layout.ts';
import { convolutionContraction, convolve, convType } from './conv.ts';
import {
  type TransposeAttrs,
  transposedProps,
  transposeType,
  transposing,
} from './conv-transpose.ts';
import {
  type Convolving,
  type ConvolvingAttrs,
  convolvingProps,
  perChannelFlops,
  runPlain,
} from './convolving.ts';
import { hasTwoPoints, POINTS, SCALES, sumOfCentred } from './quantized.ts';

type InSums<A> = Omit<A, 'out_dtype'> & { readonly out_dtype: 'int32' };

const inSums = withDefault(oneOf('int32'), 'int32');

/** The sums are int32. */
export function quantizedConvolution(spec: Convolving<InSums<ConvolvingAttrs>>): OpInfo {
  const { rank, examples, ...facts } = spec;
  const [letters, weightLetters] = [`NC${SPATIAL[rank]}`, `OI${SPATIAL[rank]}`];
  return defineOp({
    ...facts,
    ...quantizedProduct,
    doc: `A convolution over ${SPATIAL_AXES[rank]}, of integers minus their zero points; padding represents 0.`,
    signature: {
      ...named(facts.name),
      attrs: attrs({ ...convolvingProps(rank, weightLetters), out_dtype: inSums }),
      relation: (args, given, context) => {
        const operands = operandsOf(args, given, context);
        return operands && convType(operands, given, letters, weightLetters, context);
      },
      examples,
    },
    definition: centredProduct(facts.name.slice('q'.length)),
    form: {
      _tag: 'Contract',
      zeroPoints: { data: 2, weight: 3, axis: outputsOf },
      contraction: convolutionContraction(rank),
    },
    kernel: (args, attrs, out) =>
      runPlain(convolve, centredOf(args, attrs, out), attrs, letters, weightLetters, out),
    cost: (args, result, attrs) =>
      perChannelFlops(result, attrs.out_layout || attrs.data_layout, letters, args[1]),
  });
}

export function quantizedTransposedConvolution(spec: Convolving<InSums<TransposeAttrs>>): OpInfo {
  const { rank, examples, ...facts } = spec;
  const [letters, weightLetters] = [`NC${SPATIAL[rank]}`, `IO${SPATIAL[rank]}`];
  return defineOp({
    ...facts,
    ...quantizedProduct,
    doc: `The transpose of a convolution over ${SPATIAL_AXES[rank]}, of integers minus their zero points, with int32 sums.`,
    signature: {
      ...named(facts.name),
      attrs: attrs({ ...transposedProps(rank, weightLetters), out_dtype: inSums }),
      relation: (args, given, context) => {
        const operands = operandsOf(args, given, context);
        return operands && transposeType(operands, given, letters, weightLetters, context);
      },
      examples,
    },
    definition: centredProduct(facts.name.slice('q'.length)),
    kernel: (args, attrs, out) =>
      runPlain(transposing(attrs), centredOf(args, attrs, out), attrs, letters, weightLetters, out),
    cost: ([data, weight], _result, attrs) =>
      perChannelFlops(data, attrs.data_layout, letters, weight),
  });
}

const INPUTS = [
  'data',
  'weight',
  'input_zero_point',
  'kernel_zero_point',
  'input_scale',
  'kernel_scale',
] as const;

const named = (name: string) =>
  ({ source: `operators §9; Relay v0.16 ${name}`, inputs: INPUTS }) as const;

const quantizedProduct = {
  kind: 'product',
  bounds: sumOfCentred,
  domain: [undefined, undefined, POINTS, POINTS, SCALES, SCALES],
} as const;

/**
 * The operator `of` on integers minus their zero points; those of a weight may be a vector along
 * the outputs.
 */
const centredProduct = (of: string): ReadonlyArray<FormulaCase<Weighed, InputName | 'attrs'>> => [
  ...define(
    `${of}(cast(?data, dtype="int32") - ?input_zero_point, cast(?weight, dtype="int32") - ?kernel_zero_point, attrs=?attrs)`,
    { when: hasTwoPoints, isExact: true },
  ),
  ...define(
    `%0 = cast(?weight, dtype="int32") - reshape(?kernel_zero_point, newshape=?along);
     ${of}(cast(?data, dtype="int32") - ?input_zero_point, %0, attrs=?attrs)`,
    { let: { along: alongOutputs }, isExact: true },
  ),
];

type InputName = (typeof INPUTS)[number];

/** The shape that aligns zero points with the outputs of a weight. */
const alongOutputs = ({ attrs: given, rank }: FactSite<Weighed>): ReadonlyArray<number> => {
  const outputs = given.kernel_layout.indexOf('O');
  return Array.from({ length: rank(1) - outputs }, (_, i) => (i === 0 ? -1 : 1));
};

interface Weighed {
  readonly kernel_layout: string;
}

/** The types of the operands as sums, if their scales and zero points fit. */
function operandsOf(
  args: ReadonlyArray<Type>,
  attrs: Weighed,
  context: RelationContext,
): ReadonlyArray<Type> | undefined {
  const [data, weight] = [integersArg(args, 0, context), integersArg(args, 1, context)];
  if (data === undefined || weight === undefined) return undefined;
  const size = sizeAlong(weight, outputsOf(attrs), context);
  const fits =
    areParameters(args, { name: 'input', scale: 4, zero: 2 }, context) &&
    areParameters(args, { name: 'kernel', scale: 5, zero: 3, size }, context);
  return fits ? [asSums(data), asSums(weight)] : undefined;
}

/** The arguments, with the zero points subtracted from both operands. */
function centredOf(args: KernelArgs, attrs: Weighed, out: Out): KernelArgs {
  const operands = [
    centred(args.tensor(0), args.tensor(2), 0, out),
    centred(args.tensor(1), args.tensor(3), outputsOf(attrs), out),
  ] as const;
  return { ...args, tensor: (i) => operands[i === 0 ? 0 : 1] };
}

const outputsOf = ({ kernel_layout: layout }: Weighed): number =>
  letterAxes(layout, 'O')?.main ?? 0;
