/** The operator `qnn.dequantize`. */
import { tensorType } from '@baton/ir';
import { oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32s, i32 } from '../../example-types.ts';
import {
  axisProp,
  eachElement,
  gridOf,
  hasOwnScale,
  quantizes,
  realOf,
} from '../../families/quantized.ts';

export const qnnDequantize = defineOp({
  name: 'qnn.dequantize',
  doc: 'The reals that integers stand for: `(x - zero point) * scale`.',
  source: 'operators §9; Relay v0.14 qnn.dequantize',
  inputs: ['data', 'input_scale', 'input_zero_point'],
  attrs: attrs({
    axis: axisProp,
    out_dtype: withDefault(oneOf('float32', 'float16'), 'float32'),
  }),
  relation: (args, attrs, context) => {
    const data = hasOwnScale(args, 1, attrs, context);
    return data && tensorType(data.shape, attrs.out_dtype);
  },
  kernel: (args, { axis, out_dtype: dtype }, out) => {
    const { scale, zero } = gridOf(args, 1, axis, out);
    return eachElement(args.tensor(0), dtype, out, (q, i) => realOf(q, scale(i), zero(i)));
  },
  ...quantizes,
  domain: [undefined, [0.0625, 16]],
  examples: [
    { args: [i32(2, 3), f32s(0.5, 1, 2), i32(3)], attrs: { axis: 1 }, result: f32(2, 3) },
    { args: [i32(2), f32(), i32()], result: f32(2) },
  ],
});
