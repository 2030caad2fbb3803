/** Convolutions of integers that stand for real numbers. */
import type { OpInfo } from '@baton/ir';
import { oneOf } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import { defineOp } from '../define-op.ts';
import { centred } from '../kernels/quantized.ts';
import { SPATIAL_AXES } from '../layout/spatial.ts';
import { SPATIAL } from '../relation/in-layout.ts';
import { areParameters, asSums, integersArg, sizeAlong } from '../relation/quantized.ts';
import { letterAxes } from '../scale-axis/layout.ts';
import { convolve, convType } from './conv.ts';
import {
  type Convolving,
  type ConvolvingAttrs,
  convolvingProps,
  perChannelFlops,
  runPlain,
} from './convolving.ts';
import { sumsProducts } from './product.ts';
import { POINTS, SCALES, sumOfCentred } from './quantized.ts';

type QuantizedAttrs = Omit<ConvolvingAttrs, 'out_dtype'> & { readonly out_dtype: 'int32' };

/** A convolution of `rank` spatial axes, whose sums are of int32. */
export function quantizedConvolution(spec: Convolving<QuantizedAttrs>): OpInfo {
  const { rank, ...facts } = spec;
  const [letters, weightLetters] = [`NC${SPATIAL[rank]}`, `OI${SPATIAL[rank]}`];
  const props = {
    ...convolvingProps(rank, weightLetters),
    out_dtype: withDefault(oneOf('int32'), 'int32'),
  };
  return defineOp({
    ...facts,
    doc: `The sums of products of a convolution over ${SPATIAL_AXES[rank]}, of integers without their zero points; padding stands for 0.`,
    source: `operators §9; Relay v0.14 ${facts.name}`,
    inputs: [
      'data',
      'weight',
      'input_zero_point',
      'kernel_zero_point',
      'input_scale',
      'kernel_scale',
    ],
    attrs: attrs(props),
    relation: (args, attrs, context) => {
      const [data, weight] = [integersArg(args, 0, context), integersArg(args, 1, context)];
      if (data === undefined || weight === undefined) return undefined;
      const size = sizeAlong(weight, outputsOf(attrs), context);
      const fits =
        areParameters(args, { name: 'input', scale: 4, zero: 2 }, context) &&
        areParameters(args, { name: 'kernel', scale: 5, zero: 3, size }, context);
      if (!fits) return undefined;
      return convType([asSums(data), asSums(weight)], attrs, letters, weightLetters, context);
    },
    kernel: (args, attrs, out) => {
      const operands = [
        centred(args.tensor(0), args.tensor(2), 0, out),
        centred(args.tensor(1), args.tensor(3), outputsOf(attrs), out),
      ] as const;
      const plain = { ...args, tensor: (i: number) => operands[i === 0 ? 0 : 1] };
      return runPlain(convolve, plain, attrs, letters, weightLetters, out);
    },
    cost: (args, result, attrs) =>
      perChannelFlops(result, attrs.out_layout || attrs.data_layout, letters, args[1]),
    ...sumsProducts,
    bounds: sumOfCentred,
    domain: [undefined, undefined, POINTS, POINTS, SCALES, SCALES],
    scaleAxis: 'none',
  });
}

/** The axis of the outputs of a weight. */
const outputsOf = ({ kernel_layout: layout }: { readonly kernel_layout: string }): number =>
  letterAxes(layout, 'O')?.main ?? 0;
