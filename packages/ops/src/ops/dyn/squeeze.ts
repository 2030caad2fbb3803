import { defineOp } from '../../define-op.ts';
import { f32, i64s } from '../../example-types.ts';
import { dynamic, lengthOf, openTensor } from '../../families/dynamic.ts';
import { squeeze } from '../shape/squeeze.ts';

export const dynSqueeze = defineOp({
  name: 'dyn.squeeze',
  doc: 'Drops the axes of size 1 that a vector lists.',
  ...dynamic({
    of: squeeze,
    inputs: ['data', 'axis'],
    operands: { axis: 'ints' },
    open: ([data, axes], _attrs, context) => {
      const count = lengthOf(axes, 'axis', context);
      if (data === undefined || count === undefined) return undefined;
      return openTensor(Math.max(data.shape.length - count, 0), data.dtype);
    },
    examples: [
      { args: [f32(1, 3, 1), i64s(0, 2)], result: f32(3) },
      { args: [f32(1, 3, 1), i64s(-1)], result: f32(1, 3) },
    ],
  }),
  gradient: ({ args: [x], g, reshapeLike }) => [reshapeLike(g, x)],
});
