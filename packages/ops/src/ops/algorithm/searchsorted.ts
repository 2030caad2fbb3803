import { describeShape, tensorType } from '@baton/ir';
import { bool, dtype } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { discrete } from '../../bounds/rules.ts';
import { perResultElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { shapeMismatch } from '../../diagnostics.ts';
import { f32, i32, i64 } from '../../example-types.ts';
import { searchSorted as kernel } from '../../kernels/search-sorted.ts';
import { dimsAgree, ofTwo, report, sameDType } from '../../relation/known.ts';

export const searchsorted = defineOp({
  name: 'searchsorted',
  doc: 'The insertion index of each value in a sorted row: before equal elements, or after them if `right`.',
  source: 'operators §8; NumPy searchsorted; PyTorch searchsorted',
  inputs: ['sorted_sequence', 'values'],
  attrs: attrs({ right: withDefault(bool, false), dtype: withDefault(dtype, 'int32') }),
  relation: ofTwo((sequence, values, attrs, context) => {
    if (sameDType(sequence.dtype, values.dtype, '`values`', context) === undefined) {
      return undefined;
    }
    const [lead, own] = [sequence.shape.slice(0, -1), values.shape.slice(0, -1)];
    const isShared = sequence.shape.length === 1;
    if (isShared || (sequence.shape.length > 0 && dimsAgree(lead, own))) {
      return tensorType(values.shape, attrs.dtype);
    }
    const expected = `rank 1, or ${describeShape(own)} before its last axis`;
    return report(context, shapeMismatch('`sorted_sequence`', expected, sequence.shape));
  }),
  kernel: (args, attrs, out) =>
    kernel(args.tensor(0), args.tensor(1), attrs.right, attrs.dtype, out),
  cost: perResultElement,
  kind: 'other',
  numerics: 'discontinuous',
  bounds: discrete,
  examples: [
    { args: [f32(5), f32(2, 3)], result: i32(2, 3) },
    { args: [i64(2, 5), i64(2, 3)], attrs: { right: true, dtype: 'int64' }, result: i64(2, 3) },
  ],
});
