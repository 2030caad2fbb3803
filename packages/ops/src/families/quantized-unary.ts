/** Functions of quantized integers whose result is quantized again. */
import { type OpInfo, tensorType } from '@baton/ir';
import { elementCount } from '../cost.ts';
import { defineOp, type Facts } from '../define-op.ts';
import { define } from '../definition/column.ts';
import { f32, i8, i32, u8 } from '../example-types.ts';
import { mapScalar } from '../kernels/elementwise.ts';
import { dequantize, quantize } from '../kernels/quantized.ts';
import { areParameters, integersArg } from '../relation/quantized.ts';
import type { Scalar } from '../scalar/expr.ts';
import { POINTS, quantizationOf, quantizes, SCALES } from './quantized.ts';

export interface QuantizedUnary extends Facts<'name' | 'doc'> {
  /** The steps of the real function; in each, `x` is the previous step and `y` the argument. */
  readonly steps: ReadonlyArray<Scalar>;
  /** The real function as a formula of `%0`, in the dtype `real`. */
  readonly of: string;
}

/** Computed on the dequantized values; all scales and zero points have rank 0. */
export const quantizedUnary = ({ steps, of, ...facts }: QuantizedUnary): OpInfo =>
  defineOp({
    ...facts,
    signature: {
      source: `operators §9; Relay v0.16 ${facts.name}`,
      inputs: ['x', 'scale', 'zero_point', 'output_scale', 'output_zero_point'],
      relation: (args, _attrs, context) => {
        const x = integersArg(args, 0, context);
        const fits =
          areParameters(args, { name: 'input', scale: 1, zero: 2 }, context) &&
          areParameters(args, { name: 'output', scale: 3, zero: 4 }, context);
        return fits && x ? tensorType(x.shape, x.dtype) : undefined;
      },
      examples: [
        { args: [i8(2, 3), f32(), i32(), f32(), i32()], result: i8(2, 3) },
        { args: [u8(3), f32(), i32(), f32(), i32()], result: u8(3) },
      ],
    },
    kernel: (args, _attrs, out) => {
      const x = args.tensor(0);
      const real = dequantize(x, quantizationOf(args, { scale: 1, zero: 2 }), out);
      const to = quantizationOf(args, { scale: 3, zero: 4 });
      const found = steps.reduce((made, step) => mapScalar(step, [made, real], out), real);
      return quantize(found, to, x.dtype, 'TONEAREST', out);
    },
    definition: define(
      `%0 = qnn.dequantize(?x, ?scale, ?zero_point); qnn.quantize(${of}, ?output_scale, ?output_zero_point, out_dtype=?integers)`,
      { let: { integers: ({ dtype }) => dtype(0), real: ({ dtype }) => dtype(1) } },
    ),
    cost: (_args, result) => 8 * elementCount(result),
    ...quantizes,
    domain: [undefined, SCALES, POINTS, SCALES, POINTS],
  });
