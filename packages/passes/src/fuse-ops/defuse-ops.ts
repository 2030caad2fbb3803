/**
 * DefuseOps: the inverse of FuseOps. Each call of a `Primitive` function literal becomes the
 * function's body.
 *
 * ```
 * (fn (%p0, Primitive=1) { exp(add(%p0, 1f)) })(%x)   =>   exp(add(%x, 1f))
 * ```
 *
 * **Source** [passes §9](https://batonjs.github.io/baton/spec/passes#9).
 */

import { right } from '@baton/base';
import {
  binders,
  type Expr,
  type Func,
  isStateful,
  letIn,
  postOrderExprs,
  type Step,
  substitute,
  type Var,
  variable,
} from '@baton/ir';
import { functionPass, isPrimitive, isSkipped, type Pass, rewriteFunc } from '@baton/pass-manager';

/**
 * Opens kernels. Arguments with effects that the kernel's body would evaluate in another order than
 * its call, or not at all, are bound in front of it.
 *
 * **Complexity** linear: the body of a kernel is built once for each call.
 */
export const defuseOps: Pass = functionPass({
  name: 'DefuseOps',
  doc: 'Inlines the functions that FuseOps made.',
  level: 3,
  counters: ['kernel opened'],
  run: (f, m, { count }) => {
    const step: Step = (node, get) => {
      const isKernel = node._tag === 'Call' && isPrimitive(node.op);
      if (!isKernel || !canOpen(node.op, node.args)) return undefined;
      count('kernel opened');
      const effects = node.args.map((arg) => isStateful(m, arg));
      return opened(node.op, node.args.map(get), effects);
    };
    return right(rewriteFunc(f, m, step));
  },
});

/** A body with binders would bind its variables again at the next call. */
const canOpen = (kernel: Func, args: ReadonlyArray<Expr>): boolean =>
  !isSkipped(kernel) &&
  kernel.params.length === args.length &&
  postOrderExprs([kernel.body]).every((expr) => binders(expr).length === 0);

/** The body of a kernel with its parameters replaced. */
function opened(kernel: Func, args: ReadonlyArray<Expr>, effects: ReadonlyArray<boolean>): Expr {
  const values = new Map<Var, Expr>();
  const bindings: [Var, Expr][] = [];
  const isInOrder = keepsOrder(kernel, effects);
  kernel.params.forEach((param, i) => {
    const arg = args[i] as Expr;
    if (isInOrder || effects[i] !== true) values.set(param, arg);
    else {
      const bound = variable(param.nameHint, param.typeAnnotation, arg.span);
      bindings.push([bound, arg]);
      values.set(param, bound);
    }
  });
  return bindings.reduceRight<Expr>(
    (body, [bound, value]) => letIn(bound, value, body, value.span),
    substitute(kernel.body, values),
  );
}

/** Whether the body evaluates all parameters with effects in order, as FuseOps makes them. */
function keepsOrder(kernel: Func, effects: ReadonlyArray<boolean>): boolean {
  const wanted = kernel.params.filter((_, i) => effects[i] === true);
  if (wanted.length === 0) return true;
  const order = postOrderExprs([kernel.body]);
  const isStraight = order.every((e) => STRAIGHT.has(e._tag));
  const used = order.filter((e) => e._tag === 'Var' && wanted.includes(e));
  return isStraight && used.length === wanted.length && used.every((v, i) => v === wanted[i]);
}

/** Expressions all of whose parts are evaluated, from left to right. */
const STRAIGHT: ReadonlySet<Expr['_tag']> = new Set<Expr['_tag']>([
  'Var',
  'Constant',
  'Op',
  'Tuple',
  'TupleGetItem',
  'Call',
]);
