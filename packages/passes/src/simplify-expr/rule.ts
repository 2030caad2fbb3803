/** What a rewrite of SimplifyExpr is, and what it may ask. */
import type { Span } from '@baton/base';
import {
  type Attrs,
  type Call,
  type Expr,
  noAttrs,
  type OpRef,
  type OpTable,
  type Type,
} from '@baton/ir';
import { callOp } from '@baton/ops';

/** What a rule may ask about the program. */
export interface RuleContext {
  readonly ops: OpTable;
  readonly typeOf: (expr: Expr) => Type | undefined;
  /** Whether an expression may be left unevaluated. */
  readonly mayDrop: (expr: Expr) => boolean;
  /** Whether the call that is looked at is the only user of this argument of it. */
  readonly isOnlyUser: (arg: Expr) => boolean;
}

/**
 * What a call of an operator, whose arguments are as simple as they get, is replaced by;
 * `undefined` leaves it.
 */
export type Rule = (call: Call, context: RuleContext) => Expr | undefined;

/** A call of an operator. */
type OpCall = Call & { readonly op: OpRef };

/** Whether the expression is a call of this operator. */
export const isCallOf = (expr: Expr | undefined, name: string): expr is OpCall =>
  expr?._tag === 'Call' && expr.op._tag === 'Op' && expr.op.name === name;

/** A call of an operator that comes from `span`. */
export const build = (
  { ops }: RuleContext,
  name: string,
  args: ReadonlyArray<Expr>,
  span: Span | undefined,
  attrs: Attrs = noAttrs,
): Call => callOp(ops, name, args, attrs, span);
