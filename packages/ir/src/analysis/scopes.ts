/** The scope in which each node of a DAG is evaluated: the innermost one with all its uses. */
import { children } from '../expr/children.ts';
import type { Expr } from '../expr/expr.ts';
import { postOrderExprs } from '../expr/walks.ts';
import { commonScope, innerScope, rootScope, type Scope } from './scope-tree.ts';

/** The origin of a scope in a program: child `index` of `node`. */
export interface ScopePlace {
  readonly node: Expr;
  readonly index: number;
}

export interface NodeScopes {
  readonly root: Scope;
  readonly scopeOf: (node: Expr) => Scope | undefined;
  /** The child that opens a scope; `undefined` for the root. */
  readonly placeOf: (scope: Scope) => ScopePlace | undefined;
  /** The scopes inside, each with the child that opens it. */
  readonly opened: () => Iterable<readonly [Scope, ScopePlace]>;
}

/**
 * The scopes of an expression. A function's body, a let's body, each branch of an `if` and the
 * right side of each clause is a scope; `opens` says otherwise.
 *
 * **Complexity** O(log depth) an edge.
 */
export function nodeScopes(expr: Expr, opens: Opens = opensScope): NodeScopes {
  const root = rootScope();
  const scopes = new Map<Expr, Scope>([[expr, root]]);
  const places = new Map<Scope, ScopePlace>();
  // In this order every use of a node comes before the node.
  for (const node of [...postOrderExprs([expr])].reverse()) {
    const home = scopes.get(node) ?? root;
    children(node).forEach((child, index) => {
      let scope = home;
      if (opens(node, index)) {
        scope = innerScope(home);
        places.set(scope, { node, index });
      }
      const known = scopes.get(child);
      scopes.set(child, known === undefined ? scope : (commonScope(known, scope) ?? root));
    });
  }
  return {
    root,
    scopeOf: (node) => scopes.get(node),
    placeOf: (scope) => places.get(scope),
    opened: () => places.entries(),
  };
}

/** Whether child `index` of a node is in a scope inside the node's own. */
export type Opens = (node: Expr, index: number) => boolean;

/** The bodies of functions, branches and clauses: the node is also evaluated without them. */
export const opensBlock: Opens = ({ _tag }, index) =>
  _tag === 'Function' || ((_tag === 'If' || _tag === 'Match') && index > 0);

/** Blocks, and the bodies of lets. */
const opensScope: Opens = (node, index) =>
  opensBlock(node, index) || (node._tag === 'Let' && index > 0);
