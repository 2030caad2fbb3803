import type { Expr } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import { oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { dynamic, openTensor } from '../../families/dynamic.ts';
import { movedBack } from '../../gradient/places.ts';
import { pad } from '../nn/pad.ts';

export const dynPad = defineOp({
  name: 'dyn.nn.pad',
  doc: 'Pads the data: a matrix lists (before, after) for each axis.',
  ...dynamic({
    of: pad,
    inputs: ['data', 'pad_width', 'pad_value'],
    operands: { pad_width: 'pairs of ints' },
    attrs: attrs({ pad_mode: withDefault(oneOf('constant', 'edge', 'reflect'), 'constant') }),
    open: ([data]) => data && openTensor(data.shape.length, data.dtype),
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
  }),
  gradient: (site) => {
    const { args, g, attrs: given, op, scalar, plus, minus, sumLike, zerosLike } = site;
    const [x, widths, value] = args;
    if (given.pad_mode !== 'constant') {
      const moved = (places: Expr) => {
        const none = op('cast', [zerosLike(value)], { dtype: 'int64' });
        return op('dyn.nn.pad', [places, widths, none], given);
      };
      return [movedBack(site, moved)];
    }
    const index = scalar(0, 'int64');
    const before = op('cast', [op('take', [widths, index], { axis: 1 })], { dtype: 'int64' });
    const end = plus(before, op('shape_of', [x], { dtype: 'int64' }));
    const inner = op('dyn.strided_slice', [g, before, end, op('ones_like', [before])]);
    const own = op('reshape_like', [inner, x]);
    return [own, undefined, minus(sumLike(g, value), sumLike(own, value))];
  },
});
