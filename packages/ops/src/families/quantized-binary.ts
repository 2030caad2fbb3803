/** Arithmetic on quantized integers whose result is quantized again. */
import { type OpInfo, tensorType } from '@baton/ir';
import { readNumber, type Tensor } from '@baton/tensor';
import { elementCount } from '../cost.ts';
import { defineOp, type Facts } from '../define-op.ts';
import type { Definition } from '../definition/column.ts';
import { f32, i8, i32 } from '../example-types.ts';
import type { KernelArgs, Out } from '../kernel.ts';
import type { Quantization } from '../kernels/quantized.ts';
import { broadcastShape } from '../relation/basic.ts';
import { sameDType } from '../relation/known.ts';
import { areParameters, integersArg } from '../relation/quantized.ts';
import { POINTS, quantizationOf, quantizes, SCALES } from './quantized.ts';

const INPUTS = [
  'lhs',
  'rhs',
  'lhs_scale',
  'lhs_zero_point',
  'rhs_scale',
  'rhs_zero_point',
  'output_scale',
  'output_zero_point',
] as const;

export interface QuantizedBinary extends Facts<'name' | 'doc'> {
  readonly definition: Definition<unknown, (typeof INPUTS)[number]>;
  readonly kernel: (sides: readonly [Side, Side], to: Quantization, out: Out) => Tensor;
}

/** Integers with their quantization. */
export interface Side extends Quantization {
  readonly data: Tensor;
}

/** Scale and zero point as JavaScript numbers. */
export const numbersIn = ({ scale, zero }: Quantization) => ({
  scale: readNumber(scale, 0),
  zero: readNumber(zero, 0),
});

/** Two tensors that broadcast; all scales and zero points have rank 0. */
export const quantizedBinary = ({ kernel, ...facts }: QuantizedBinary): OpInfo =>
  defineOp({
    ...facts,
    signature: {
      source: `operators §9; Relay v0.14 ${facts.name}`,
      inputs: INPUTS,
      relation: (args, _attrs, context) => {
        const [lhs, rhs] = [integersArg(args, 0, context), integersArg(args, 1, context)];
        if (lhs === undefined || rhs === undefined) return undefined;
        const dtype = sameDType(lhs.dtype, rhs.dtype, '`rhs`', context);
        const fits = ['lhs', 'rhs', 'output'].every((name, i) =>
          areParameters(args, { name, scale: 2 + 2 * i, zero: 3 + 2 * i }, context),
        );
        const shape = broadcastShape(lhs.shape, rhs.shape, context);
        return dtype === undefined || !fits || shape === undefined
          ? undefined
          : tensorType(shape, dtype);
      },
      examples: [
        {
          args: [i8(2, 3), i8(3), f32(), i32(), f32(), i32(), f32(), i32()],
          result: i8(2, 3),
        },
      ],
    },
    kernel: (args, _attrs, out) =>
      kernel([sideOf(args, 0), sideOf(args, 1)], quantizationAt(args, 2), out),
    cost: (_args, result) => 14 * elementCount(result),
    ...quantizes,
    domain: [undefined, undefined, SCALES, POINTS, SCALES, POINTS, SCALES, POINTS],
  });

const sideOf = (args: KernelArgs, i: number): Side => ({
  data: args.tensor(i),
  ...quantizationAt(args, i),
});

const quantizationAt = (args: KernelArgs, i: number): Quantization =>
  quantizationOf(args, { scale: 2 + 2 * i, zero: 3 + 2 * i });
