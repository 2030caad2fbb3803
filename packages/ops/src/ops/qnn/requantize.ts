/** The operator `qnn.requantize`. */
import { tensorType } from '@baton/ir';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32s, i32 } from '../../example-types.ts';
import {
  axisProp,
  eachElement,
  gridOf,
  hasOwnScale,
  hasScale,
  quantizedOf,
  quantizedProp,
  quantizes,
  realOf,
} from '../../families/quantized.ts';

export const qnnRequantize = defineOp({
  name: 'qnn.requantize',
  doc: 'Integers of one scale and zero point as those of another: `qnn.quantize` of `qnn.dequantize`.',
  source: 'operators §9; Relay v0.14 qnn.requantize with float32 arithmetic, to the nearest',
  inputs: ['data', 'input_scale', 'input_zero_point', 'output_scale', 'output_zero_point'],
  attrs: attrs({ axis: axisProp, out_dtype: quantizedProp }),
  relation: (args, attrs, context) => {
    const data = hasOwnScale(args, 1, attrs, context) && hasScale(args, 3, attrs, context);
    return data && tensorType(data.shape, attrs.out_dtype);
  },
  kernel: (args, { axis, out_dtype: dtype }, out) => {
    const [from, to] = [gridOf(args, 1, axis, out), gridOf(args, 3, axis, out)];
    return eachElement(args.tensor(0), dtype, out, (q, i) =>
      quantizedOf(realOf(q, from.scale(i), from.zero(i)), to.scale(i), to.zero(i), dtype),
    );
  },
  ...quantizes,
  domain: [undefined, [0.0625, 16], undefined, [0.0625, 16]],
  examples: [
    {
      args: [i32(2, 3), f32s(0.5, 1, 2), i32(3), f32(), i32()],
      attrs: { axis: 1, out_dtype: 'int32' },
      result: i32(2, 3),
    },
  ],
});
