/** The operator `qnn.quantize`. */
import { tensorType } from '@baton/ir';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32s, i32 } from '../../example-types.ts';
import {
  axisProp,
  eachElement,
  gridOf,
  hasScale,
  quantizedOf,
  quantizedProp,
  quantizes,
} from '../../families/quantized.ts';
import { inDomain } from '../../relation/known.ts';

export const qnnQuantize = defineOp({
  name: 'qnn.quantize',
  doc: 'Reals as integers: `x / scale` to the nearest, halves away from 0, plus the zero point, within the range of `out_dtype`.',
  source: 'operators §9; Relay v0.14 qnn.quantize',
  inputs: ['data', 'output_scale', 'output_zero_point'],
  attrs: attrs({ axis: axisProp, out_dtype: quantizedProp }),
  relation: (args, attrs, context) => {
    const data = hasScale(args, 1, attrs, context);
    if (data === undefined || !inDomain(data.dtype, 'float', context)) return undefined;
    return tensorType(data.shape, attrs.out_dtype);
  },
  kernel: (args, { axis, out_dtype: dtype }, out) => {
    const { scale, zero } = gridOf(args, 1, axis, out);
    return eachElement(args.tensor(0), dtype, out, (x, i) =>
      quantizedOf(x, scale(i), zero(i), dtype),
    );
  },
  ...quantizes,
  domain: [undefined, [0.0625, 16]],
  examples: [
    {
      args: [f32(2, 3), f32s(0.5, 1, 2), i32(3)],
      attrs: { axis: 1, out_dtype: 'int32' },
      result: i32(2, 3),
    },
    { args: [f32(2), f32(), i32()], attrs: { out_dtype: 'int32' }, result: i32(2) },
  ],
});
