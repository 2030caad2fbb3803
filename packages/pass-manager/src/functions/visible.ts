/**
 * The part of a function that passes see. An inner function that is a kernel, must not be
 * optimized, or is compiled elsewhere is an opaque value to them.
 */
import {
  binders,
  children,
  type Expr,
  type Func,
  foldExpr,
  freeVars,
  type IRModule,
  isTotal,
  postOrderExprs,
  type Var,
} from '@baton/ir';
import { isSkipped } from '../pass.ts';

export const isPrimitive = (expr: Expr): expr is Func =>
  expr._tag === 'Function' && expr.attrs.Primitive !== undefined && expr.attrs.Primitive !== 0;

/**
 * Whether passes leave the function unchanged, and do not look inside: a kernel, or a function with
 * `SkipOptimization`, `Compiler` or `Extern`. Passes about such functions handle them explicitly.
 */
export const isOpaque = (expr: Expr): expr is Func =>
  expr._tag === 'Function' && (isPrimitive(expr) || isSkipped(expr));

export interface Visible {
  /** Its nodes, children first. */
  readonly order: ReadonlyArray<Expr>;
  /**
   * Whether a node, with all that is below it, stays the same object: an opaque function, or what
   * one of these shares with its surroundings, if it has effects or binds variables. As two objects,
   * it would run twice, or bind a variable twice.
   */
  readonly isKept: (node: Expr) => boolean;
  /** The variables that opaque functions take from outside: they must stay bound. */
  readonly captured: ReadonlySet<Var>;
}

/** The part below `root` that passes see. **Complexity** linear, also in opaque functions. */
export function visibleIn(root: Expr, m: IRModule): Visible {
  const all = postOrderExprs([root]);
  if (!all.some(isOpaque)) return { order: all, isKept: isOpaque, captured: new Set() };
  const opaque = new Set<Func>();
  const order = postOrderExprs([root], (node) => {
    if (!isOpaque(node)) return false;
    opaque.add(node);
    return true;
  });
  const captured = new Set([...opaque].flatMap(freeVars));
  const seen = new Set(order);
  const hidden = postOrderExprs([...opaque]);
  const binding = foldExpr<boolean>(
    hidden,
    (node, get) => binders(node).length > 0 || children(node).some((child) => get(child) === true),
  );
  const shared = new Set(
    hidden.filter((node) => seen.has(node) && (binding.get(node) === true || !isTotal(m, node))),
  );
  if (shared.size === 0) return { order, isKept: isOpaque, captured };
  const isKept = (node: Expr): boolean => isOpaque(node) || shared.has(node);
  return { order: postOrderExprs([root], isKept), isKept, captured };
}
