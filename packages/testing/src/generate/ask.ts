/** Applies the relation of an operator to a call that does not exist yet. */
import type { Attrs, OpInfo, RelationContext, Type } from '@baton/ir';
import { typeEqual } from '@baton/ir';
import { constantOf, type Value } from './value.ts';

/** A relation's answer: the result's type, or the reason why there is none. */
export type Answer =
  | { readonly _tag: 'Type'; readonly type: Type }
  | { readonly _tag: 'Refused'; readonly reason: string };

/**
 * The type of a call with fully typed arguments. `attrs` is a complete record.
 *
 * **Complexity** of the relation.
 */
export function askRelation(op: OpInfo, args: ReadonlyArray<Value>, attrs: Attrs): Answer {
  let reason: string | undefined;
  const refuse = (why: string): undefined => {
    reason ??= why;
    return undefined;
  };
  const context: RelationContext = {
    constant: (index) => {
      const arg = args[index];
      return arg === undefined ? undefined : constantOf(arg);
    },
    unify: (a, b) => {
      if (typeEqual(a, b)) return true;
      refuse('the types of the arguments differ');
      return false;
    },
    // A hole stands for a class of dtypes in a relation; inference checks it at the end.
    unifyDTypes: (a, b) => {
      if (a === b) return a;
      if (typeof a !== 'string') return b;
      return typeof b === 'string' ? undefined : a;
    },
    resolve: (type) => type,
    undecided: () => undefined,
    fail: (_code, message) => refuse(message),
  };
  const type = op.relation(
    args.map((arg) => arg.type),
    attrs,
    context,
  );
  if (reason !== undefined) return { _tag: 'Refused', reason };
  if (type === undefined) return { _tag: 'Refused', reason: 'it needs to know more' };
  return { _tag: 'Type', type };
}
