/** The values that programs compute, and the activations that hold them. */
import type { Expr, Func } from '@baton/ir';
import type { Tensor } from '@baton/tensor';

/** A tuple of values. */
export interface TupleValue {
  readonly _tag: 'Tuple';
  readonly fields: ReadonlyArray<Value>;
}

/** A function together with the activation that it was created in. */
export interface Closure {
  readonly _tag: 'Closure';
  readonly func: Func;
  readonly frame: Frame;
}

/** A value. */
export type Value = Tensor | TupleValue | Closure;

/**
 * For each node and variable of a global function, the function in whose activation it lives: the
 * innermost one that encloses all of its uses. So a shared node is computed once, also where a
 * closure shares it with its surroundings (language.md §7).
 */
export interface Scopes {
  readonly ownerOf: (node: Expr) => Func | undefined;
}

/** One activation of a function. */
export interface Frame {
  readonly func: Func | undefined;
  readonly scopes: Scopes;
  readonly parent: Frame | undefined;
  readonly values: Map<Expr, Value>;
}

/** A tuple of values. */
export const tupleValue = (fields: ReadonlyArray<Value>): TupleValue => ({ _tag: 'Tuple', fields });
