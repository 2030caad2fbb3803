/**
 * What passes see of a function. A function inside it that is a kernel, asks for no optimization,
 * or is compiled elsewhere is a value to them, whatever is in it.
 */
import {
  type Expr,
  type Func,
  freeVars,
  type IRModule,
  isTotal,
  postOrderExprs,
  type Var,
} from '@baton/ir';
import { isSkipped } from '@baton/pass-manager';

/** Whether the expression is a function that a backend runs as one kernel. */
export const isPrimitive = (expr: Expr): expr is Func =>
  expr._tag === 'Function' && expr.attrs.Primitive !== undefined && expr.attrs.Primitive !== 0;

/**
 * Whether passes leave the function as it is, and do not look inside: a kernel, and one with
 * `SkipOptimization`, `Compiler` or `Extern`. A pass that is about such functions says so.
 */
export const isOpaque = (expr: Expr): expr is Func =>
  expr._tag === 'Function' && (isPrimitive(expr) || isSkipped(expr));

/** The part of an expression that passes rewrite. */
export interface Visible {
  /** Its nodes, children first. */
  readonly order: ReadonlyArray<Expr>;
  /**
   * Whether a node, with all that is below it, stays the object that it is: an opaque function, or
   * an evaluation with effects that one of these shares with its surroundings. If that became two
   * objects, it would be done twice.
   */
  readonly isKept: (node: Expr) => boolean;
  /** The variables that opaque functions take from outside: they must stay bound. */
  readonly captured: ReadonlySet<Var>;
}

/**
 * What passes see below `root`.
 *
 * **Complexity** linear in the nodes, those of opaque functions included.
 */
export function visibleIn(root: Expr, m: IRModule): Visible {
  const opaque = new Set<Func>();
  const order = postOrderExprs([root], (node) => {
    if (!isOpaque(node)) return false;
    opaque.add(node);
    return true;
  });
  if (opaque.size === 0) return { order, isKept: isOpaque, captured: new Set() };
  const captured = new Set([...opaque].flatMap(freeVars));
  const seen = new Set(order);
  const shared = new Set(
    postOrderExprs([...opaque]).filter((node) => seen.has(node) && !isTotal(m, node)),
  );
  if (shared.size === 0) return { order, isKept: isOpaque, captured };
  const isKept = (node: Expr): boolean => isOpaque(node) || shared.has(node);
  return { order: postOrderExprs([root], isKept), isKept, captured };
}
