/** Operators that fill a tensor whose shape is known only when the program runs. */
import type { OpInfo } from '@baton/ir';
import { dtype } from '../attrs/codecs.ts';
import { attrs } from '../attrs/schema.ts';
import { within } from '../bounds/rules.ts';
import { defineOp } from '../define-op.ts';
import { f32, i64s } from '../example-types.ts';
import type { Filled } from './creation.ts';
import { dynamic, lengthOf, openTensor } from './dynamic.ts';

/** `of` takes the shape as an attribute. */
interface FilledDynamically extends Filled {
  readonly of: OpInfo;
}

export const filledDynamically = ({ of, value, ...named }: FilledDynamically): OpInfo =>
  defineOp({
    ...named,
    ...dynamic({
      of,
      inputs: ['shape'],
      operands: { shape: 'ints' },
      attrs: attrs({ dtype }),
      open: ([shape], { dtype: type }, context) => {
        const rank = lengthOf(shape, 'shape', context);
        return rank === undefined ? undefined : openTensor(rank, type);
      },
      examples: [{ args: [i64s(2, 3)], attrs: { dtype: 'float32' }, result: f32(2, 3) }],
    }),
    gradient: 'zero',
    bounds: within(value, value, 0),
  });
