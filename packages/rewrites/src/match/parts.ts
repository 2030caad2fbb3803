/** The expressions that patterns look into. */
import type { Expr } from '@baton/ir';

/** The parts of an expression that a pattern may name: arguments, fields, the tuple of a projection. */
export const partsOf = (expr: Expr): ReadonlyArray<Expr> => {
  if (expr._tag === 'Call') return expr.args;
  if (expr._tag === 'Tuple') return expr.fields;
  return expr._tag === 'TupleGetItem' ? [expr.tuple] : [];
};
