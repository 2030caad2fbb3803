/** The blocks of a function: the stretches of it that are evaluated together, or not at all. */
import { remember } from '@baton/base';
import { childAt, type Expr, type IRModule, nodeScopes, type Scope } from '@baton/ir';
import { visibleIn } from '@baton/pass-manager';
import { isStandIn } from './language.ts';

/** The body of a function, a branch, a clause, or what follows a binding. */
export interface Block {
  /** The expression whose value the block computes. */
  readonly result: Expr;
  /** The expressions of the function in it, each after what it uses. */
  readonly nodes: ReadonlyArray<Expr>;
}

/** The blocks of functions. */
export interface Blocks {
  /** The blocks of a function's body, each after those inside it: the body itself is the last. */
  readonly enter: (body: Expr) => readonly [...ReadonlyArray<Block>, Block];
  /** The blocks that a node of an entered body opens. */
  readonly openedBy: (node: Expr) => ReadonlyArray<Block>;
}

/** The blocks of the bodies that are entered. */
export function makeBlocks(m: IRModule): Blocks {
  const opened = new Map<Expr, Block[]>();
  return {
    enter: (body) => blocksOf(body, m, opened),
    openedBy: (node) => opened.get(node) ?? [],
  };
}

/**
 * The blocks of a function's body.
 *
 * **Complexity** O(log depth) an edge.
 */
function blocksOf(
  body: Expr,
  m: IRModule,
  opened: Map<Expr, Block[]>,
): readonly [...ReadonlyArray<Block>, Block] {
  const scopes = nodeScopes(body);
  const placed = new Map<Scope, { result: Expr; nodes: Expr[] }>();
  const at = (scope: Scope) =>
    remember(placed, scope, () => {
      const place = scopes.placeOf(scope);
      const result = place === undefined ? body : (childAt(place.node, place.index) as Expr);
      const made = { result, nodes: [] };
      if (place !== undefined) remember(opened, place.node, () => [] as Block[]).push(made);
      return made;
    });
  const scopeOf = (node: Expr): Scope | undefined =>
    isStandIn(node) ? scopes.root : scopes.scopeOf(node);
  for (const node of visibleIn(body, m).order) {
    const scope = node._tag === 'Op' ? undefined : scopeOf(node);
    if (scope !== undefined) at(scope).nodes.push(node);
  }
  const root = at(scopes.root);
  placed.delete(scopes.root);
  const byDepth = [...placed].sort(([a], [b]) => b.depth - a.depth);
  return [...byDepth.map(([, block]) => block), root];
}
