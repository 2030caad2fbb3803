/** Identity operators that carry a meaning for passes or for other systems. */
import type { OpInfo } from '@baton/ir';
import type { TypedAttrs } from '../attrs/schema.ts';
import { defineOp, type Facts, type Signature } from '../define-op.ts';
import { f32 } from '../example-types.ts';
import { sameForm } from '../form/views.ts';
import { identityOfData } from '../relation/basic.ts';

export interface Annotation<A>
  extends Facts<'name' | 'doc' | 'source' | 'effect' | 'nonComputational' | 'quantizing'> {
  readonly attrs?: TypedAttrs<A>;
  /** The attributes of the examples. Default: their defaults. */
  readonly given?: Partial<A>;
}

/** The identity on a tensor or a tuple of tensors. */
const marking = <A>(attrs: TypedAttrs<A> | undefined, given: Partial<A>): Signature<A, 'data'> => ({
  source: 'operators §9',
  inputs: ['data'],
  ...(attrs && { attrs }),
  relation: identityOfData,
  examples: [
    { args: [f32(2, 3)], attrs: given, result: f32(2, 3) },
    { args: [[f32(2), f32()]], attrs: given, result: [f32(2), f32()] },
  ],
});

export const annotation = <A>({ given = {}, attrs, ...facts }: Annotation<A>): OpInfo =>
  defineOp<A>({
    source: `operators §9; Relay v0.14 ${facts.name}`,
    ...facts,
    signature: marking(attrs, given),
    form: sameForm,
    kind: 'other',
    ...(facts.effect === undefined ? { foldable: 'annotation' as const } : {}),
  });
