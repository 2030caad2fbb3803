import { tensorType } from '@baton/ir';
import type { DType } from '@baton/tensor';
import { oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { axesAfter } from '../../definition/axes.ts';
import { define } from '../../definition/column.ts';
import type { FactSite } from '../../definition/site.ts';
import { f32, f32s, i8, i32, i32s, u8 } from '../../example-types.ts';
import {
  axisProp,
  isOfNumbers,
  POINTS,
  quantizationOf,
  quantizedType,
  quantizes,
  SCALES,
} from '../../families/quantized.ts';
import { quantize as kernel, quantizedRange } from '../../kernels/quantized.ts';
import { sameDType, tensorArg } from '../../relation/known.ts';
import { areParameters, scaleType, sizeAlong } from '../../relation/quantized.ts';

interface QuantizeAttrs {
  readonly axis: number;
  readonly out_dtype: DType;
}

const BOUNDS = {
  least: ({ attrs: given }: FactSite<QuantizeAttrs>) => quantizedRange(given.out_dtype)[0],
  most: ({ attrs: given }: FactSite<QuantizeAttrs>) => quantizedRange(given.out_dtype)[1],
  real: ({ dtype }: FactSite<QuantizeAttrs>) => dtype(1),
} as const;

export const qnnQuantize = defineOp({
  name: 'qnn.quantize',
  doc: 'Floats as integers: `data / scale` rounded to nearest, plus the zero point, clamped to the type. Halves round away from 0, or with `rounding="TIESTOEVEN"` to even.',
  source: 'operators §9; Relay v0.14 qnn.quantize',
  inputs: ['data', 'output_scale', 'output_zero_point'],
  attrs: attrs({
    axis: axisProp,
    out_dtype: withDefault(quantizedType, 'int8'),
    rounding: withDefault(oneOf('TONEAREST', 'TIESTOEVEN'), 'TONEAREST'),
  }),
  relation: (args, { axis, out_dtype: dtype }, context) => {
    const data = tensorArg(args, 0, context);
    if (data === undefined) return undefined;
    const real = scaleType(args, 1, context);
    if (sameDType(real, data.dtype, '`data`', context) === undefined) return undefined;
    const stated = { name: 'output', scale: 1, zero: 2, size: sizeAlong(data, axis, context) };
    return areParameters(args, stated, context) ? tensorType(data.shape, dtype) : undefined;
  },
  kernel: (args, { axis, out_dtype: dtype, rounding }, out) =>
    kernel(args.tensor(0), quantizationOf(args, { scale: 1, zero: 2, axis }), dtype, rounding, out),
  definition: [...rounding('round', 'TONEAREST'), ...rounding('rint', 'TIESTOEVEN')],
  cost: (_args, result) => 4 * elementCount(result),
  ...quantizes,
  domain: [undefined, SCALES, POINTS],
  examples: [
    { args: [f32(2, 3), f32(), i32()], result: i8(2, 3) },
    {
      args: [f32(2, 3), f32s(0.5, 0.25), i32s(3, -1)],
      attrs: { axis: 0, out_dtype: 'uint8' },
      result: u8(2, 3),
    },
  ],
});

/** The definition with a rounding operator; the scale and the zero point may vary along an axis. */
function rounding<const R extends string>(round: R, name: string) {
  const where = { rounding: name };
  return [
    ...define(
      `cast(clip(${round}(?data / ?output_scale) + cast(?output_zero_point, dtype=?real), a_min=?least, a_max=?most), dtype=?out_dtype)`,
      { let: BOUNDS, where, when: isOfNumbers, isExact: true },
    ),
    ...define(
      `%0 = expand_dims(cast(?output_zero_point, dtype=?real), axis=-1, num_newaxis=?after);
       %1 = ${round}(?data / expand_dims(?output_scale, axis=-1, num_newaxis=?after)) + %0;
       cast(clip(%1, a_min=?least, a_max=?most), dtype=?out_dtype)`,
      { let: { ...BOUNDS, after: axesAfter }, where, isExact: true },
    ),
  ];
}
