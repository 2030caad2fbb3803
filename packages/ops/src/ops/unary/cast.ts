import { tensorType } from '@baton/ir';
import { cast as kernel } from '@baton/tensor';
import { dtype } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { boolean, f32, i32 } from '../../example-types.ts';
import { tensorTypeArg } from '../../relation/known.ts';

export const cast = defineOp({
  name: 'cast',
  relationName: 'Cast',
  doc: 'The same values in another dtype: floats truncate toward 0 and wrap, NaN becomes 0.',
  source: 'operators §1; decision D16',
  attrs: attrs({ dtype }),
  relation: (args, attrs, context) => {
    const x = tensorTypeArg(args, 0, context);
    return x === undefined ? undefined : tensorType(x.shape, attrs.dtype);
  },
  kernel: (args, attrs, out) => kernel(args.tensor(0), attrs.dtype, out),
  form: { _tag: 'Convert' },
  precision: 'stated',
  gradient: ({ args: [x], g, op }) => [op('cast_like', [g, x])],
  examples: [
    { args: [f32(2, 3)], attrs: { dtype: 'int32' }, result: i32(2, 3) },
    { args: [i32(4)], attrs: { dtype: 'bool' }, result: boolean(4) },
  ],
});
