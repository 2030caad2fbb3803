import { tensorType } from '@baton/ir';
import { broadcastView, cast } from '@baton/tensor';
import { dtype, list, naturalInt } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { anyOf } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i32 } from '../../example-types.ts';
import { broadcastForm } from '../../form/views.ts';
import { hasRank, ofTensor, takesDType } from '../../relation/known.ts';

export const full = defineOp({
  name: 'full',
  doc: 'A tensor filled with a scalar, which is cast to `dtype`.',
  source: 'operators §4; NumPy full',
  inputs: ['fill_value'],
  attrs: attrs({ shape: list(naturalInt), dtype }),
  relation: ofTensor((fill, { shape, dtype: type }, context) => {
    if (!hasRank(fill, '`fill_value`', [0], context)) return undefined;
    // A literal takes the wanted dtype; anything else is cast.
    if (!takesDType(fill.dtype, type, '`fill_value`', context)) return undefined;
    return tensorType(shape, type);
  }),
  form: broadcastForm,
  kernel: (args, { shape, dtype: type }, out) =>
    broadcastView(cast(args.tensor(0), type, out), shape),
  kind: 'elementwise',
  bounds: anyOf,
  gradient: ({ args: [x], g, op }) => [op('cast_like', [op('sum', [g]), x])],
  examples: [
    { args: [f32()], attrs: { shape: [2, 3], dtype: 'float32' }, result: f32(2, 3) },
    { args: [f32()], attrs: { shape: [], dtype: 'int32' }, result: i32() },
  ],
});
