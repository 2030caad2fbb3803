/** Sums and differences of quantized integers. */
import type { OpInfo } from '@baton/ir';
import { cast, scalar as scalarTensor } from '@baton/tensor';
import type { Facts } from '../define-op.ts';
import { define } from '../definition/column.ts';
import { mapScalar } from '../kernels/elementwise.ts';
import { quantizedRange, requantize, saturated } from '../kernels/quantized.ts';
import { math, type Scalar, x, y } from '../scalar/expr.ts';
import { numbersIn, quantizedBinary } from './quantized-binary.ts';

/**
 * Brings both operands to the scale of the result, each minus its zero point, adds or subtracts
 * them, then adds the zero point of the result.
 */
export const addsQuantized = ({
  scalar,
  sign,
  ...facts
}: Facts<'name' | 'doc'> & { readonly scalar: Scalar; readonly sign: '+' | '-' }): OpInfo =>
  quantizedBinary({
    ...facts,
    // A sum of two int32 fits in int64.
    definition: define(
      `%0 = cast(qnn.requantize(?lhs, ?lhs_scale, ?lhs_zero_point, ?output_scale, 0i32, out_dtype="int32"), dtype="int64");
       %1 = cast(qnn.requantize(?rhs, ?rhs_scale, ?rhs_zero_point, ?output_scale, 0i32, out_dtype="int32"), dtype="int64");
       cast(clip(%0 ${sign} %1 + cast(?output_zero_point, dtype="int64"), a_min=?least, a_max=?most), dtype=?integers)`,
      {
        let: {
          integers: ({ dtype }) => dtype(0),
          least: ({ dtype }) => quantizedRange(dtype(0))[0],
          most: ({ dtype }) => quantizedRange(dtype(0))[1],
        },
      },
    ),
    kernel: ([left, right], to, out) => {
      const { scale, zero } = numbersIn(to);
      const [a, b] = [left, right].map((side) =>
        requantize(side.data, side, { scale, zero: 0 }, 'int32', 'UPWARD', out),
      );
      if (a === undefined || b === undefined) return left.data;
      // A sum of two int32 fits in float64.
      const [wideA, wideB] = [cast(a, 'float64', out), cast(b, 'float64', out)];
      const sum = mapScalar(scalar, [wideA, wideB], out);
      const moved = mapScalar(math.add(x, y), [sum, scalarTensor(zero, 'float64')], out);
      return saturated(moved, left.data.dtype, out);
    },
  });
