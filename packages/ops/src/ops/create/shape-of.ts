import { tensorType } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import { dtype } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { discrete } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i32, i64 } from '../../example-types.ts';
import { ofTensor } from '../../relation/known.ts';
import { toldAsIs } from '../../relay-text.ts';

export const shapeOf = defineOp({
  name: 'shape_of',
  doc: 'The shape as a vector; of a scalar, a scalar 0.',
  source: 'operators §4; types §9 ShapeOf',
  attrs: attrs({ dtype: withDefault(dtype, 'int32') }),
  relation: ofTensor((data, attrs) =>
    tensorType(data.shape.length === 0 ? [] : [data.shape.length], attrs.dtype),
  ),
  kernel: (args, attrs, out) => {
    const { shape } = args.tensor(0);
    // For a scalar the relation returns a scalar, which must hold some value.
    return shape.length === 0
      ? fromNumbers([0], [], attrs.dtype, out)
      : fromNumbers(shape, [shape.length], attrs.dtype, out);
  },
  kind: 'other',
  numerics: 'exact',
  bounds: discrete,
  nonComputational: true,
  relayText: { told: toldAsIs('dtype') },
  foldable: 'by type',
  examples: [
    { args: [f32(8, 9, 10)], result: i32(3) },
    { args: [f32()], attrs: { dtype: 'int64' }, result: i64() },
  ],
});
