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
  children,
  type Expr,
  type Func,
  type IRModule,
  isStateful,
  letIn,
  postOrderExprs,
  type Var,
  variable,
  withChildren,
} from '@baton/ir';
import { type Count, functionPass, isSkipped, type Pass } from '@baton/pass-manager';
import { withBody } from '../forward-rewrite.ts';
import { isPrimitive, visibleIn } from '../visible.ts';

const ROWS = ['kernel opened'] as const;

type Row = (typeof ROWS)[number];

/**
 * A function with its kernels taken apart. Arguments with effects that a kernel would evaluate in
 * another order than its call does, or not at all, are bound in front of it.
 *
 * **Complexity** linear: the body of a kernel is built once for each place that calls it.
 */
export function defuseOpsIn(f: Func, m: IRModule, count: Count<Row>): Func {
  const built = new Map<Expr, Expr>();
  const get = (expr: Expr): Expr => built.get(expr) ?? expr;
  for (const expr of visibleIn(f.body, m).order) {
    if (expr._tag === 'Call' && isPrimitive(expr.op) && canOpen(expr.op, expr.args)) {
      count('kernel opened');
      const effects = expr.args.map((arg) => isStateful(m, arg));
      built.set(expr, opened(expr.op, expr.args.map(get), effects));
    } else built.set(expr, withChildren(expr, children(expr).map(get)));
  }
  return withBody(f, get(f.body));
}

/** The pass. */
export const defuseOps: Pass = functionPass({
  name: 'DefuseOps',
  doc: 'Takes the functions that FuseOps made apart again.',
  level: 3,
  rows: ROWS,
  run: (f, m, { count }) => right(defuseOpsIn(f, m, count)),
});

/** A body that binds variables would bind them again at the next call. */
const canOpen = (kernel: Func, args: ReadonlyArray<Expr>): boolean =>
  !isSkipped(kernel) &&
  kernel.params.length === args.length &&
  postOrderExprs([kernel.body]).every((expr) => binders(expr).length === 0);

/** The body of a kernel with its parameters replaced. */
function opened(kernel: Func, args: ReadonlyArray<Expr>, effects: ReadonlyArray<boolean>): Expr {
  const built = new Map<Expr, Expr>();
  const bindings: [Var, Expr][] = [];
  const isInOrder = keepsOrder(kernel, effects);
  kernel.params.forEach((param, i) => {
    const arg = args[i] as Expr;
    if (isInOrder || effects[i] !== true) built.set(param, arg);
    else {
      const bound = variable(param.nameHint, param.typeAnnotation, arg.span);
      bindings.push([bound, arg]);
      built.set(param, bound);
    }
  });
  const get = (expr: Expr): Expr => built.get(expr) ?? expr;
  for (const expr of postOrderExprs([kernel.body], (e) => built.has(e))) {
    built.set(expr, withChildren(expr, children(expr).map(get)));
  }
  return bindings.reduceRight<Expr>(
    (body, [bound, value]) => letIn(bound, value, body, value.span),
    get(kernel.body),
  );
}

/**
 * Whether the body evaluates the parameters whose arguments have effects as its call does: all of
 * them, in order. That is so of what FuseOps makes.
 */
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
