/**
 * Which function literals are generalized on their own, and how many of them stand around a node.
 *
 * A node that is used inside and outside such a function belongs outside: it is typed there, once.
 */
import { postOrder } from '@baton/base';
import { commonScope, innerScope, rootScope, type Scope } from '../analysis/scope-tree.ts';
import type { Expr, Let } from '../expr/expr.ts';
import { OUTERMOST_LEVEL } from './substitution.ts';
import { typedPart } from './walk.ts';

/** The sites of one definition. */
export interface Sites {
  /** Whether the value of a let is a function that is generalized on its own. */
  readonly isSite: (node: Let) => boolean;
  /** The level of holes that arise at a node. */
  readonly levelOf: (node: Expr) => number;
}

/**
 * The sites below the roots; `skip` prunes what needs no types.
 *
 * **Complexity** O(log depth) an edge.
 */
export function findSites(roots: ReadonlyArray<Expr>, skip: (node: Expr) => boolean): Sites {
  const order = postOrder(parts, roots, skip);
  const uses = new Map<Expr, number>();
  for (const node of order) {
    for (const part of parts(node)) uses.set(part, (uses.get(part) ?? 0) + 1);
  }
  // A function that has another use besides is not generalized: it would have two types.
  const isSite = (node: Let): boolean =>
    node.value._tag === 'Function' && (uses.get(node.value) ?? 1) === 1;
  const root = rootScope();
  const scopes = new Map<Expr, Scope>(roots.map((node) => [node, root]));
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const home = scopes.get(node) ?? root;
    for (const part of parts(node)) {
      const inside =
        node._tag === 'Let' && part === node.value && isSite(node) ? innerScope(home) : home;
      const known = scopes.get(part);
      scopes.set(part, known === undefined ? inside : (commonScope(known, inside) ?? root));
    }
  }
  return {
    isSite,
    levelOf: (node) => OUTERMOST_LEVEL + (scopes.get(node)?.depth ?? 0),
  };
}

function parts(node: Expr): ReadonlyArray<Expr> {
  const found: Expr[] = [];
  for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
    found.push(part);
  }
  return found;
}
