/** Sums and differences of integers that stand for real numbers. */
import type { OpInfo } from '@baton/ir';
import { cast, scalar as scalarTensor } from '@baton/tensor';
import type { Facts } from '../define-op.ts';
import { mapScalar } from '../kernels/elementwise.ts';
import { requantize, saturated } from '../kernels/quantized.ts';
import { math, type Scalar, x, y } from '../scalar/expr.ts';
import { numbersIn, quantizedBinary } from './quantized-binary.ts';

/**
 * An operator whose operands are brought to the scale of the result, and added or subtracted there:
 * each without the zero point of the result, which is added in the end.
 */
export const addsQuantized = ({
  scalar,
  ...facts
}: Facts<'name' | 'doc'> & { readonly scalar: Scalar }): OpInfo =>
  quantizedBinary({
    ...facts,
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
