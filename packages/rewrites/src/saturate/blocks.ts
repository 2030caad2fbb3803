/** The blocks of a function: the stretches of it that are evaluated together, or not at all. */
import { remember } from '@baton/base';
import { childAt, type Expr, type Func, type IRModule, nodeScopes, type Scope } from '@baton/ir';
import { visibleIn } from '@baton/pass-manager';

/** The body of a function, a branch, a clause, or what follows a binding. */
export interface Block {
  /** The expression whose value the block computes. */
  readonly result: Expr;
  /** The expressions of the function in it, each after what it uses. */
  readonly nodes: ReadonlyArray<Expr>;
}

/** The blocks of a function. */
export interface Blocks {
  readonly root: Block;
  /** Every block, after those inside it. */
  readonly innerFirst: ReadonlyArray<Block>;
  /** The blocks that a node opens. */
  readonly openedBy: (node: Expr) => ReadonlyArray<Block>;
}

/**
 * The blocks of a function.
 *
 * **Complexity** O(log depth) an edge.
 */
export function blocksOf(f: Func, m: IRModule): Blocks {
  const scopes = nodeScopes(f.body);
  const placed = new Map<Scope, { result: Expr; nodes: Expr[] }>();
  const opened = new Map<Expr, Block[]>();
  const at = (scope: Scope) =>
    remember(placed, scope, () => {
      const place = scopes.placeOf(scope);
      const result = place === undefined ? f.body : (childAt(place.node, place.index) as Expr);
      const made = { result, nodes: [] };
      if (place !== undefined) remember(opened, place.node, () => [] as Block[]).push(made);
      return made;
    });
  for (const node of visibleIn(f.body, m).order) {
    const scope = node._tag === 'Op' ? undefined : scopes.scopeOf(node);
    if (scope !== undefined) at(scope).nodes.push(node);
  }
  const root = at(scopes.root);
  const byDepth = [...placed].sort(([a], [b]) => b.depth - a.depth);
  return {
    root,
    innerFirst: byDepth.map(([, block]) => block),
    openedBy: (node) => opened.get(node) ?? [],
  };
}
