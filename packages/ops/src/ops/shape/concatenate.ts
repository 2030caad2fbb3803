import { type Dim, tensorType } from '@baton/ir';
import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { sumOfDims } from '../../relation/dims.ts';
import { dimAt, normalAxis, report, tupleArg } from '../../relation/known.ts';
import { meetFields } from '../../relation/tuple.ts';

export const concatenate = defineOp({
  name: 'concatenate',
  doc: 'The tensors of a tuple, concatenated along `axis`.',
  source: 'operators §4; NumPy concatenate',
  attrs: attrs({ axis: withDefault(int, 0) }),
  relation: (args, attrs, context) => {
    const fields = tupleArg(args, 0, context);
    const first = fields?.[0];
    if (fields === undefined) return undefined;
    if (first === undefined) return report(context, badExtent('the tuple', 'it has no tensors'));
    const axis = normalAxis(attrs.axis, first.shape.length, context);
    if (axis === undefined) return undefined;
    const common = meetFields(fields, axis, context);
    if (common === undefined) return undefined;
    const along = sumOfDims(fields.map((field): Dim => dimAt(field, axis)));
    const shape = common.shape.map((dim, i) => (i === axis ? along : dim));
    return tensorType(shape, common.dtype);
  },
  form: { _tag: 'Concat', axis: ({ axis }) => axis },
  gradient: ({ g, attrs: { axis }, fieldSizes, items, op }) => {
    const parts = fieldSizes(0);
    const at = axis < 0 ? axis + (parts[0]?.length ?? 0) : axis;
    let end = 0;
    const cuts = parts.map((sizes) => {
      const begin = end;
      end += sizes[at] ?? 0;
      return op('strided_slice', [g], { begin: [begin], end: [end], axes: [at] });
    });
    return [items(...cuts)];
  },
  quantizing: 'joined',
  examples: [
    { args: [[f32(2, 3), f32(4, 3)]], result: f32(6, 3) },
    { args: [[f32(2, 3), f32(2, 0), f32(2, 1)]], attrs: { axis: -1 }, result: f32(2, 4) },
  ],
});
