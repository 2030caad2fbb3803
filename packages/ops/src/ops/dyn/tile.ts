import type { Expr } from '@baton/ir';
import { defineOp } from '../../define-op.ts';
import { f32, i64s } from '../../example-types.ts';
import { dynamic, lengthOf, openTensor } from '../../families/dynamic.ts';
import { movedBack } from '../../gradient/places.ts';
import { tile } from '../shape/tile.ts';

export const dynTile = defineOp({
  name: 'dyn.tile',
  doc: 'The tensor repeated along each axis by the counts in a vector.',
  ...dynamic({
    of: tile,
    inputs: ['data', 'reps'],
    operands: { reps: 'ints' },
    open: ([data, reps], _attrs, context) => {
      const count = lengthOf(reps, 'reps', context);
      if (data === undefined || count === undefined) return undefined;
      return openTensor(Math.max(data.shape.length, count), data.dtype);
    },
    examples: [
      { args: [f32(2, 3), i64s(2, 1, 3)], result: f32(2, 2, 9) },
      { args: [f32(2, 3), i64s(2)], result: f32(2, 6) },
    ],
  }),
  gradient: (site) => {
    const moved = (places: Expr) => site.op('dyn.tile', [places, site.args[1]]);
    return [movedBack(site, moved)];
  },
});
