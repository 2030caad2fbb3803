import { tensorType } from '@baton/ir';
import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { normalAxis, report, tupleArg } from '../../relation/known.ts';
import { meetFields } from '../../relation/tuple.ts';

export const stack = defineOp({
  name: 'stack',
  doc: 'The tensors of a tuple along a new axis before `axis`.',
  source: 'operators §4; NumPy stack',
  attrs: attrs({ axis: withDefault(int, 0) }),
  relation: (args, attrs, context) => {
    const fields = tupleArg(args, 0, context);
    if (fields === undefined) return undefined;
    if (fields.length === 0) return report(context, badExtent('the tuple', 'it has no tensors'));
    const common = meetFields(fields, undefined, context);
    if (common === undefined) return undefined;
    const axis = normalAxis(attrs.axis, common.shape.length + 1, context);
    if (axis === undefined) return undefined;
    const shape = [...common.shape.slice(0, axis), fields.length, ...common.shape.slice(axis)];
    return tensorType(shape, common.dtype);
  },
  form: { _tag: 'Concat', axis: ({ axis }) => axis, isNew: true },
  gradient: ({ g, attrs: { axis }, fieldSizes, items, op, scalar }) => [
    items(...fieldSizes(0).map((_, i) => op('take', [g, scalar(i, 'int32')], { axis }))),
  ],
  examples: [
    { args: [[f32(2, 3), f32(2, 3)]], attrs: { axis: 1 }, result: f32(2, 2, 3) },
    { args: [[f32(), f32(), f32()]], attrs: { axis: -1 }, result: f32(3) },
  ],
});
