/** Kernels: functions marked `Primitive`, which passes over operators leave as they are. */
import type { Expr, Func } from '@baton/ir';

/** Whether the expression is a function that a backend runs as one kernel. */
export const isPrimitive = (expr: Expr): expr is Func =>
  expr._tag === 'Function' && expr.attrs.Primitive !== undefined && expr.attrs.Primitive !== 0;
