/** Operators that fill a tensor with one value. */

import type { OpInfo } from '@baton/ir';
import { full } from '@baton/tensor';
import { dtype, list, naturalInt } from '../attrs/codecs.ts';
import { attrs } from '../attrs/schema.ts';
import { within } from '../bounds/rules.ts';
import { noFlops } from '../cost.ts';
import { defineOp, type Facts } from '../define-op.ts';
import { exact } from '../definition/column.ts';
import { boolean, f32, i64 } from '../example-types.ts';
import { identityIn } from '../relation/basic.ts';
import { statedType } from '../relation/shape-of.ts';
import { likeFirst } from '../relayout/rules.ts';

const fills = (value: number) =>
  ({
    cost: noFlops,
    kind: 'elementwise',
    numerics: 'exact',
    bounds: within(value, value, 0),
    gradient: 'zero',
    cell: value === 0 ? 'zeros' : 'ones',
  }) as const;

export interface Filled extends Facts<'name' | 'doc'> {
  readonly value: number;
}

export const filled = ({ name, doc, value }: Filled): OpInfo =>
  defineOp({
    name,
    doc,
    signature: {
      source: 'operators §4',
      inputs: [],
      attrs: attrs({ shape: list(naturalInt), dtype }),
      relation: statedType,
      examples: [
        { args: [], attrs: { shape: [2, 3], dtype: 'float32' }, result: f32(2, 3) },
        { args: [], attrs: { shape: [], dtype: 'int64' }, result: i64() },
      ],
    },
    kernel: (_args, { shape, dtype: type }, out) => full(shape, type, value, out),
    ...fills(value),
    sampled: 'full',
  });

export const filledLike = ({ name, doc, value }: Filled): OpInfo =>
  defineOp({
    name,
    doc,
    signature: {
      source: 'operators §1',
      relation: identityIn('any'),
      examples: [
        { args: [f32(2, 3)], result: f32(2, 3) },
        { args: [boolean()], result: boolean() },
      ],
    },
    kernel: (args, _attrs, out) => {
      const data = args.tensor(0);
      return full(data.shape, data.dtype, value, out);
    },
    ...fills(value),
    definition: exact((site) =>
      site.op('broadcast_to', [site.number(value)], { shape: site.sizes(0) }),
    ),
    relayout: likeFirst,
  });
