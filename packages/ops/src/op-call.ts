/** Calls of operators. */
import { InvariantError } from '@baton/base';
import type { Attrs, AttrValue, Call, Expr, OpRef } from '@baton/ir';

export type OpCall = Call & { readonly op: OpRef; readonly attrs: Attrs };

/** Whether the expression is a call of an operator. */
export const isOpCall = (expr: Expr): expr is OpCall =>
  expr._tag === 'Call' && expr.op._tag === 'Op';

export const isCallOf = (expr: Expr | undefined, name: string): expr is OpCall =>
  expr !== undefined && isOpCall(expr) && expr.op.name === name;

/** An operand of a typed call, which has all operands of its operator. */
export function operandOf({ args }: { readonly args: ReadonlyArray<Expr> }, at: number): Expr {
  const operand = args[at];
  if (operand === undefined) throw new InvariantError(`a call has no operand ${at}`);
  return operand;
}

export const numbersOf = (list: AttrValue | undefined): ReadonlyArray<number> =>
  Array.isArray(list) ? list.map(Number) : [];
