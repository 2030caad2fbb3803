/**
 * Where each node of a definition is written: the scope that is the lowest common ancestor of its
 * uses, so that a shared node stands before all of them (language.md §8).
 */
import { commonScope, innerScope, rootScope, type Scope } from '../../analysis/scope-tree.ts';
import { children, postOrderExprs } from '../../expr/children.ts';
import type { Expr, Let } from '../../expr/expr.ts';
import type { Doc } from './doc.ts';

/** A run of lines: the body of a function, a branch, a clause, or a let inside an expression. */
export interface PrintScope extends Scope {
  readonly lines: Doc[];
}

/** The places of one definition. */
export interface Places {
  /** The scope in which a node is written. */
  readonly scopeOf: (expr: Expr) => PrintScope;
  /** The scopes that a node opens, in the order of its children that have one. */
  readonly innerScopes: (expr: Expr) => ReadonlyArray<PrintScope>;
  /** Whether more than one place mentions the node. */
  readonly isShared: (expr: Expr) => boolean;
  /** Whether a let is written as a line of the scope it is in, and not in parentheses. */
  readonly isLine: (expr: Let) => boolean;
}

/** A scope inside `parent`. */
export const printScope = (parent?: PrintScope): PrintScope => ({
  ...(parent === undefined ? rootScope() : innerScope(parent)),
  lines: [],
});

/** What always stands in place, and has no place of its own. */
export function isAtom(expr: Expr): boolean {
  switch (expr._tag) {
    case 'Var':
    case 'GlobalVar':
    case 'Constant':
    case 'Op':
    case 'Constructor':
    case 'TempExpr':
      return true;
    default:
      return false;
  }
}

/**
 * Finds the places of everything below `root`, which is itself written in `scope`.
 *
 * **Complexity** O(n log depth).
 */
export function findPlaces(root: Expr, scope: PrintScope): Places {
  const order = postOrderExprs([root], isAtom);
  const seen = new Set<Expr>();
  const shared = new Set<Expr>();
  for (const expr of order) {
    for (const child of children(expr)) {
      if (isAtom(child)) continue;
      if (seen.has(child)) shared.add(child);
      else seen.add(child);
    }
  }
  const scopes = new Map<Expr, PrintScope>([[root, scope]]);
  const inner = new Map<Expr, ReadonlyArray<PrintScope>>();
  const tails = new Set<Expr>([root]);
  const isShared = (expr: Expr): boolean => shared.has(expr);
  const isLine = (expr: Let): boolean => tails.has(expr) && !isShared(expr);
  const scopeOf = (expr: Expr): PrintScope => scopes.get(expr) ?? scope;
  const mention = (child: Expr, at: PrintScope): void => {
    if (isAtom(child)) return;
    const old = scopes.get(child);
    // Scopes of a print are made from scopes of the same print.
    scopes.set(child, old === undefined ? at : ((commonScope(old, at) ?? scope) as PrintScope));
  };
  const endWith = (child: Expr, at: PrintScope): void => {
    tails.add(child);
    mention(child, at);
  };
  const open = (expr: Expr, at: PrintScope, bodies: ReadonlyArray<Expr>): void => {
    const made = bodies.map(() => printScope(at));
    inner.set(expr, made);
    for (const [i, body] of bodies.entries()) endWith(body, made[i] as PrintScope);
  };
  // Parents come before children, so a node's scope is settled when its turn comes.
  for (let i = order.length - 1; i >= 0; i--) {
    const expr = order[i] as Expr;
    const at = scopeOf(expr);
    switch (expr._tag) {
      case 'Function':
        open(expr, at, [expr.body]);
        break;
      case 'If':
        mention(expr.cond, at);
        open(expr, at, [expr.trueBranch, expr.falseBranch]);
        break;
      case 'Match':
        mention(expr.data, at);
        open(
          expr,
          at,
          expr.clauses.map((c) => c.body),
        );
        break;
      case 'Let': {
        const lines = isLine(expr) ? at : printScope(at);
        inner.set(expr, [lines]);
        mention(expr.value, lines);
        endWith(expr.body, lines);
        break;
      }
      default:
        for (const child of children(expr)) mention(child, at);
    }
  }
  return { scopeOf, innerScopes: (expr) => inner.get(expr) ?? [], isShared, isLine };
}
