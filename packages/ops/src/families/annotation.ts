/** Identity operators that carry a meaning for passes or for other systems. */
import type { OpInfo } from '@baton/ir';
import type { TypedAttrs } from '../attrs/schema.ts';
import { defineOp, type Facts } from '../define-op.ts';
import { f32 } from '../example-types.ts';
import { identityOfData } from '../relation/basic.ts';
import { likeFirst } from '../relayout/rules.ts';
import { givesArgument } from './movement.ts';

export interface Annotation<A>
  extends Facts<'name' | 'doc' | 'source'>,
    Partial<Facts<'effect' | 'nonComputational' | 'quantizing'>> {
  readonly attrs: TypedAttrs<A>;
  readonly given?: Partial<A>;
}

/** The identity on a tensor or a tuple of tensors. */
export const annotation = <A>({ given, ...facts }: Annotation<A>): OpInfo =>
  defineOp<A>({
    ...facts,
    inputs: ['data'],
    relation: identityOfData,
    kernel: (args) => args.value(0),
    ...givesArgument,
    relayout: likeFirst,
    ...(facts.effect === undefined ? { foldable: 'annotation' as const } : {}),
    gradient: ({ g }) => [g],
    examples: [
      { args: [f32(2, 3)], ...(given === undefined ? {} : { attrs: given }), result: f32(2, 3) },
      {
        args: [[f32(2), f32()]],
        ...(given === undefined ? {} : { attrs: given }),
        result: [f32(2), f32()],
      },
    ],
  });
