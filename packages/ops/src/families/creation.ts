/** Operators that fill a tensor with one value. */

import type { OpInfo } from '@baton/ir';
import { full } from '@baton/tensor';
import { dtype, list, naturalInt } from '../attrs/codecs.ts';
import { attrs, noAttributes } from '../attrs/schema.ts';
import { within } from '../bounds/rules.ts';
import { noFlops } from '../cost.ts';
import { defineOp, type Facts } from '../define-op.ts';
import { exact } from '../definition/column.ts';
import { boolean, f32, i64 } from '../example-types.ts';
import { identityIn } from '../relation/basic.ts';
import { statedType } from '../relation/shape-of.ts';
import { likeFirst } from '../relayout/rules.ts';
import { actsOnElements } from './elementwise.ts';

export const fills: Facts<'cost' | 'fusion' | 'kind' | 'numerics' | 'domain' | 'scaleAxis'> = {
  cost: noFlops,
  ...actsOnElements,
  numerics: 'exact',
};

export interface Filled extends Facts<'name' | 'doc'> {
  readonly value: number;
}

export const filled = ({ name, doc, value }: Filled): OpInfo =>
  defineOp({
    name,
    doc,
    source: 'operators §4',
    inputs: [],
    attrs: attrs({ shape: list(naturalInt), dtype }),
    relation: statedType,
    kernel: (_args, { shape, dtype: type }, out) => full(shape, type, value, out),
    ...fills,
    bounds: within(value, value, 0),
    gradient: 'zero',
    cell: value === 0 ? 'zeros' : 'ones',
    sampled: 'full',
    examples: [
      { args: [], attrs: { shape: [2, 3], dtype: 'float32' }, result: f32(2, 3) },
      { args: [], attrs: { shape: [], dtype: 'int64' }, result: i64() },
    ],
  });

export const filledLike = ({ name, doc, value }: Filled): OpInfo =>
  defineOp({
    name,
    doc,
    source: 'operators §1',
    inputs: ['data'],
    attrs: noAttributes,
    relation: identityIn('any'),
    kernel: (args, _attrs, out) => {
      const data = args.tensor(0);
      return full(data.shape, data.dtype, value, out);
    },
    ...fills,
    definition: exact((site) =>
      site.op('broadcast_to', [site.number(value)], { shape: site.sizes(0) }),
    ),
    relayout: likeFirst,
    bounds: within(value, value, 0),
    gradient: 'zero',
    cell: value === 0 ? 'zeros' : 'ones',
    examples: [
      { args: [f32(2, 3)], result: f32(2, 3) },
      { args: [boolean()], result: boolean() },
    ],
  });
