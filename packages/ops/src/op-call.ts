/** Calls of operators. */
import { InvariantError } from '@baton/base';
import type { Attrs, AttrValue, Call, Expr, OpRef } from '@baton/ir';

/** A call of an operator, with its attributes. */
export type OpCall = Call & { readonly op: OpRef; readonly attrs: Attrs };

/** Whether the expression is a call of an operator. */
export const isOpCall = (expr: Expr): expr is OpCall =>
  expr._tag === 'Call' && expr.op._tag === 'Op';

/** Whether the expression is a call of this operator. */
export const isCallOf = (expr: Expr | undefined, name: string): expr is OpCall =>
  expr !== undefined && isOpCall(expr) && expr.op.name === name;

/** An operand of a typed call, which has as many as its operator takes. */
export function operandOf({ args }: { readonly args: ReadonlyArray<Expr> }, at: number): Expr {
  const operand = args[at];
  if (operand === undefined) throw new InvariantError(`a call has no operand ${at}`);
  return operand;
}

/** The numbers of a list attribute. */
export const numbersOf = (list: AttrValue | undefined): ReadonlyArray<number> =>
  Array.isArray(list) ? list.map(Number) : [];
