/** Types that a place gives an expression. */
import { type Expr, type IRModule, isContextual, letIn, typeOf, variable } from '@baton/ir';

/**
 * What takes the place of `was`, with the type that `was` had: an expression that does not say its
 * own type, as `Nil`, is bound to a variable that does.
 */
export function withTypeOf(m: IRModule, was: Expr, made: Expr): Expr {
  if (!isContextual(m, made)) return made;
  const seen = variable('value', typeOf(m, was));
  return letIn(seen, made, seen, made.span);
}
