import { scalar } from '@baton/tensor';
import { define } from '../../definition/column.ts';
import { numbersIn, quantizedBinary } from '../../families/quantized-binary.ts';
import { mapScalar } from '../../kernels/elementwise.ts';
import { centred, requantize } from '../../kernels/quantized.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const qnnMul = quantizedBinary({
  name: 'qnn.mul',
  doc: 'The product of quantized integers, requantized.',
  definition: define(
    `%0 = (cast(?lhs, dtype="int32") - ?lhs_zero_point) * (cast(?rhs, dtype="int32") - ?rhs_zero_point);
     qnn.requantize(%0, ?lhs_scale * ?rhs_scale, 0i32, ?output_scale, ?output_zero_point, out_dtype=?integers)`,
    { let: { integers: ({ dtype }) => dtype(0) } },
  ),
  kernel: ([left, right], to, out) => {
    const product = mapScalar(
      math.mul(x, y),
      [
        centred(left.data, left.zero, left.axis, out),
        centred(right.data, right.zero, right.axis, out),
      ],
      out,
    );
    const both = numbersIn(left).scale * numbersIn(right).scale;
    const scale = scalar(both, left.scale.dtype);
    const from = { scale, zero: scalar(0, 'int32'), axis: 0 };
    return requantize(product, from, numbersIn(to), left.data.dtype, 'UPWARD', out);
  },
});
