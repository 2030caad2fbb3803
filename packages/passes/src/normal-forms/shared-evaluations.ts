/** Functions that A-normal form leaves with evaluations that blocks share, at their first demand. */
import { children, type Expr, type Func, type IRModule, postOrderExprs } from '@baton/ir';
import { isOpaque, visibleIn } from '@baton/pass-manager';
import { isAtom } from './walk.ts';

/** Whether a function in A-normal form has a node that several blocks evaluate, or an opaque one. */
export function sharesEvaluations(f: Func, m: IRModule): boolean {
  const { order } = visibleIn(f.body, m);
  const seen = new Set<Expr>();
  const isAgain = (node: Expr): boolean => {
    if (isAtom(node) || node._tag === 'Constant') return false;
    const again = seen.has(node);
    seen.add(node);
    return again;
  };
  if (order.some((node) => children(node).some(isAgain))) return true;
  // Of such a node a copy would bind its variables again.
  const opaque = order.flatMap(children).filter(isOpaque);
  return postOrderExprs(opaque.flatMap(children)).some(isAgain);
}
