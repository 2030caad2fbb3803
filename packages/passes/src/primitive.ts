/** Kernels: functions marked `Primitive`, which passes over operators leave as they are. */
import { children, type Expr, type Func, freeVars, type Var } from '@baton/ir';

/** Whether the expression is a function that a backend runs as one kernel. */
export const isPrimitive = (expr: Expr): expr is Func =>
  expr._tag === 'Function' && expr.attrs.Primitive !== undefined && expr.attrs.Primitive !== 0;

/**
 * The variables that kernels take from outside other than as arguments. A pass that leaves kernels
 * as they are must leave these bound. `order` holds what the pass walks: all but the kernels.
 *
 * **Complexity** linear in the nodes, and those of the kernels.
 */
export function capturedByKernels(order: ReadonlyArray<Expr>): ReadonlySet<Var> {
  const kernels = new Set(order.flatMap(children).filter(isPrimitive));
  return new Set([...kernels].flatMap(freeVars));
}
