/** The graph of a program for searches: its nodes in order, their users, and post-dominance. */
import {
  children,
  commonScope,
  type Expr,
  encloses,
  innerScope,
  rootScope,
  type Scope,
} from '@baton/ir';

/** The nodes of a program and their uses. */
export interface Graph {
  /** The nodes, children first. */
  readonly order: ReadonlyArray<Expr>;
  readonly has: (node: Expr) => boolean;
  /** The nodes that use a node. */
  readonly usersOf: (node: Expr) => ReadonlyArray<Expr>;
  /** Whether every way from `inner` to the root leads through `outer`. */
  readonly dominates: (outer: Expr, inner: Expr) => boolean;
}

/**
 * The graph of the nodes in an order with children first.
 *
 * **Complexity** linear in nodes and uses, and O(log depth) a use for dominance.
 */
export function graphOf(order: ReadonlyArray<Expr>): Graph {
  const users = new Map<Expr, Expr[]>();
  for (const node of order) {
    users.set(node, []);
    for (const child of children(node)) users.get(child)?.push(node);
  }
  let tree: ReadonlyMap<Expr, Scope> | undefined;
  return {
    order,
    has: (node) => users.has(node),
    usersOf: (node) => users.get(node) ?? [],
    dominates: (outer, inner) => {
      tree ??= dominatorTree(order);
      const [above, below] = [tree.get(outer), tree.get(inner)];
      return above !== undefined && below !== undefined && encloses(above, below);
    },
  };
}

/** The post-dominator tree, as scopes: the scope of a node lies in the nearest dominator's. */
function dominatorTree(order: ReadonlyArray<Expr>): ReadonlyMap<Expr, Scope> {
  const root = rootScope();
  const tree = new Map<Expr, Scope>();
  // The scope that all users of a node have in common, as far as they have been seen.
  const common = new Map<Expr, Scope>();
  for (const node of [...order].reverse()) {
    const own = innerScope(common.get(node) ?? root);
    tree.set(node, own);
    for (const child of children(node)) {
      const known = common.get(child);
      common.set(child, known === undefined ? own : (commonScope(known, own) ?? root));
    }
  }
  return tree;
}
