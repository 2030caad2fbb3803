/**
 * DefuseOps: the inverse of FuseOps. Each call of a `Primitive` function literal becomes the
 * function's body.
 *
 * ```
 * (fn (%p0, Primitive=1) { exp(add(%p0, 1f)) })(%x)   =>   exp(add(%x, 1f))
 * ```
 *
 * **Source** passes.md §9.
 */
import { children, type Expr, type Func, postOrderExprs, withChildren } from '@baton/ir';
import { functionPass, type Pass } from '@baton/pass-manager';
import { right } from 'fp-ts/lib/Either.js';
import { withBody } from '../forward-rewrite.ts';
import { isPrimitive } from '../primitive.ts';

/**
 * A function with its kernels taken apart.
 *
 * **Complexity** linear: the body of a kernel is built once for each place that calls it.
 */
export function defuseOpsIn(f: Func): Func {
  const built = new Map<Expr, Expr>();
  const get = (expr: Expr): Expr => built.get(expr) ?? expr;
  const hidden = new Set<Expr>();
  for (const expr of postOrderExprs([f.body])) if (isPrimitive(expr)) hidden.add(expr);
  for (const expr of postOrderExprs([f.body], (e) => hidden.has(e))) {
    built.set(
      expr,
      expr._tag === 'Call' && isPrimitive(expr.op) && expr.op.params.length === expr.args.length
        ? opened(expr.op, expr.args.map(get))
        : withChildren(expr, children(expr).map(get)),
    );
  }
  return withBody(f, get(f.body));
}

/** The body of a kernel with its parameters replaced. */
function opened(kernel: Func, args: ReadonlyArray<Expr>): Expr {
  const built = new Map<Expr, Expr>();
  kernel.params.forEach((param, i) => {
    built.set(param, args[i] as Expr);
  });
  const get = (expr: Expr): Expr => built.get(expr) ?? expr;
  for (const expr of postOrderExprs([kernel.body], (e) => built.has(e))) {
    built.set(expr, withChildren(expr, children(expr).map(get)));
  }
  return get(kernel.body);
}

/** The pass. */
export const defuseOps: Pass = functionPass({
  name: 'DefuseOps',
  doc: 'Takes the functions that FuseOps made apart again.',
  level: 3,
  run: (f) => right(defuseOpsIn(f)),
});
