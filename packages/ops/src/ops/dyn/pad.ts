/** The operator `dyn.nn.pad`. */
import { fromNumbers } from '@baton/tensor';
import { oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { standsAlone } from '../../families/alone.ts';
import { dynamic, openTensor } from '../../families/dynamic.ts';
import { movesData } from '../../families/movement.ts';
import { pad } from '../nn/pad.ts';

export const dynPad = defineOp({
  name: 'dyn.nn.pad',
  doc: 'Cells around the data: a matrix lists (before, after) of each axis.',
  source: 'operators §4; Relay v0.14 dyn.nn.pad',
  ...dynamic({
    of: pad,
    inputs: ['data', 'pad_width', 'pad_value'],
    operands: { pad_width: 'pairs of ints' },
    attrs: attrs({ pad_mode: withDefault(oneOf('constant', 'edge', 'reflect'), 'constant') }),
    open: ([data]) => data && openTensor(data.shape.length, data.dtype),
  }),
  ...movesData,
  ...standsAlone,
  examples: [
    {
      args: [f32(2, 3), fromNumbers([0, 1, 2, 0], [2, 2], 'int64'), f32()],
      result: f32(3, 5),
    },
    {
      args: [f32(2, 3), fromNumbers([1, 1, 0, 2], [2, 2], 'int32'), f32()],
      attrs: { pad_mode: 'edge' },
      result: f32(4, 5),
    },
  ],
});
