import { tensorType } from '@baton/ir';
import { scalar, shapeSize } from '@baton/tensor';
import { dtype } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { discrete } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i32, i64 } from '../../example-types.ts';
import { tensorTypeArg } from '../../relation/known.ts';
import { toldAsIs } from '../../relay-text.ts';

export const ndarraySize = defineOp({
  name: 'ndarray_size',
  doc: 'The number of elements.',
  source: 'operators §3',
  attrs: attrs({ dtype: withDefault(dtype, 'int32') }),
  relation: (args, attrs, context) =>
    tensorTypeArg(args, 0, context) === undefined ? undefined : tensorType([], attrs.dtype),
  kernel: (args, attrs, out) => scalar(shapeSize(args.tensor(0).shape), attrs.dtype, out),
  kind: 'other',
  numerics: 'exact',
  // As in TVM.
  fusion: 'injective',
  bounds: discrete,
  nonComputational: true,
  relayText: { told: toldAsIs('dtype') },
  foldable: 'by type',
  examples: [
    { args: [f32(8, 9, 10)], result: i32() },
    { args: [f32()], attrs: { dtype: 'int64' }, result: i64() },
  ],
});
