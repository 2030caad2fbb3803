/** A program in the making: the state that the parts of a builder share. */
import type { Attrs, Expr, Var } from '@baton/ir';
import type { Callee } from './builder.ts';
import type { TensorValue, Value } from './value.ts';

/** A call of an operator, and what it is made of. */
export interface Called {
  readonly name: string;
  readonly args: ReadonlyArray<Value>;
  readonly attrs: Attrs;
  readonly value: Value;
  readonly isStateful: boolean;
}

/** The names and values of a scope. Inner scopes start from copies of what they add to. */
interface Scope {
  readonly visible: Value[];
  /** The parameters of the function around. */
  readonly params: TensorValue[];
  readonly bindings: Array<{ readonly variable: Var; readonly value: Expr }>;
  readonly callees: Callee[];
  readonly locals: Var[];
  /** Whether everything is made of constants. */
  readonly isConstant: boolean;
}

/** The innermost scope, and what is known about the expressions so far. */
export interface Draft {
  scope: Scope;
  calls: number;
  readonly made: Map<Expr, Called>;
  readonly used: Set<Expr>;
  readonly effects: Set<Expr>;
}

export const emptyDraft = (): Draft => ({
  scope: { visible: [], params: [], bindings: [], callees: [], locals: [], isConstant: false },
  calls: 0,
  made: new Map(),
  used: new Set(),
  effects: new Set(),
});

/** The result of `body` in a scope that differs from this one. */
export function inScope<A>(draft: Draft, inner: Partial<Scope>, body: () => A): A {
  const outer = draft.scope;
  draft.scope = { ...outer, ...inner };
  const result = body();
  draft.scope = outer;
  return result;
}

/** A value that uses others: it has an effect if one of them has. */
export function madeFrom<V extends Value>(
  { used, effects }: Draft,
  value: V,
  ...operands: ReadonlyArray<Value>
): V {
  for (const { expr } of operands) {
    used.add(expr);
    if (effects.has(expr)) effects.add(value.expr);
  }
  return value;
}
