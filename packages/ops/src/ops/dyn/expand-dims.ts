import { scalar } from '@baton/tensor';
import { naturalInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i64s } from '../../example-types.ts';
import { dynamic, openTensor } from '../../families/dynamic.ts';
import { expandDims } from '../shape/expand-dims.ts';

export const dynExpandDims = defineOp({
  name: 'dyn.expand_dims',
  doc: 'Inserts `num_newaxis` axes of size 1 before the axis given by a scalar.',
  ...dynamic({
    of: expandDims,
    inputs: ['data', 'axis'],
    operands: { axis: 'int' },
    attrs: attrs({ num_newaxis: withDefault(naturalInt, 1) }),
    open: ([data], { num_newaxis: count }) =>
      data && openTensor(data.shape.length + count, data.dtype),
    examples: [
      { args: [f32(2, 3), scalar(1, 'int64')], result: f32(2, 1, 3) },
      { args: [f32(2, 3), i64s(-1)], attrs: { num_newaxis: 2 }, result: f32(2, 3, 1, 1) },
    ],
  }),
  gradient: ({ args: [x], g, reshapeLike }) => [reshapeLike(g, x)],
});
