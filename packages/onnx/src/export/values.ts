/**
 * The values of an export: a program is evaluated on tensors that are names of the graph, so that
 * tuples, functions, data and references are gone when it ends.
 */
import type { Constructor, Expr, Func } from '@baton/ir';
import type { Operand } from '../operator-api/exporter.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { LoopShape } from './loop-shape.ts';

export type Value =
  | Operand
  | { readonly _tag: 'Tuple'; readonly fields: ReadonlyArray<Value> }
  | Closure
  /** An operator as a function. */
  | { readonly _tag: 'Operator'; readonly name: string }
  /** A constructor as a function. */
  | { readonly _tag: 'Constructor'; readonly ctor: Constructor }
  | { readonly _tag: 'Data'; readonly ctor: Constructor; readonly fields: ReadonlyArray<Value> }
  | Reference
  /** What a part that cannot be exported would give: its users are not reported. */
  | typeof UNKNOWN;

export interface Closure {
  readonly _tag: 'Closure';
  readonly func: Func;
  /** The activation that the function was made in; absent for a function of the module. */
  readonly frame: Frame | undefined;
}

/** A reference cell. Its content is known at every point, since branches may not write to it. */
export interface Reference {
  readonly _tag: 'Reference';
  content: Value;
  /** The graph that may write to it. */
  readonly draft: GraphBuilder;
}

export const UNKNOWN = { _tag: 'Unknown' } as const;

/** The values of expressions in an activation of a function or in a branch. */
export interface Frame {
  readonly values: Map<Expr, Value>;
  /** The activation around it, whose values are in scope. */
  readonly outer: Frame | undefined;
  /** The graph that takes its nodes. */
  readonly draft: GraphBuilder;
  /** The number of calls around it. */
  readonly depth: number;
  /** The function that it activates, if that calls itself last. */
  readonly loop?: LoopFunction | undefined;
}

/** A function that calls itself last, and where it was made. */
export interface LoopFunction {
  readonly shape: LoopShape;
  readonly closure: Closure;
  readonly args: ReadonlyArray<Value>;
}

/** The value of an expression that is known in this activation or around it. */
export function known(frame: Frame, expr: Expr): Value | undefined {
  for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
    const value = at.values.get(expr);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A tuple of values. */
export const tupleOf = (fields: ReadonlyArray<Value>): Value => ({ _tag: 'Tuple', fields });
