/**
 * Operators that normalise along one axis by exponentials:
 * [operators §7](https://batonjs.github.io/baton/spec/operators#7).
 */
import type { OpInfo } from '@baton/ir';
import { int } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import type { BoundsRule } from '../bounds/bounds.ts';
import { defineOp, type Facts, type Signature } from '../define-op.ts';
import { f32 } from '../example-types.ts';
import type { GradientRule } from '../gradient/column.ts';
import { floatAlongAxis } from '../relation/basic.ts';
import { type Share, TERM } from '../scalar/exponentials.ts';

export interface SoftmaxFamily extends Required<Facts<'name' | 'doc' | 'source'>>, Facts<'faster'> {
  readonly share: Share;
  readonly bounds: BoundsRule<unknown>;
  readonly gradient: GradientRule<{ readonly axis: number }>;
}

const alongAxis: Omit<Signature<{ readonly axis: number }, 'data'>, 'source'> = {
  inputs: ['data'],
  attrs: attrs({ axis: withDefault(int, -1) }),
  relation: floatAlongAxis,
  examples: [
    { args: [f32(2, 3)], result: f32(2, 3) },
    { args: [f32(2, 3, 5)], attrs: { axis: 1 }, result: f32(2, 3, 5) },
  ],
};

export const softmaxAlongAxis = ({ share, source, ...facts }: SoftmaxFamily): OpInfo =>
  defineOp({
    ...facts,
    form: { _tag: 'Softmax', axis: ({ axis }) => axis, term: TERM, share },
    signature: { ...alongAxis, source },
  });
