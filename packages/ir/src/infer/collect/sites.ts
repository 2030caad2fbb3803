/**
 * Which function literals are generalized on their own, and how many of them stand around a node.
 *
 * A node that is used inside and outside such a function belongs outside: it is typed there, once.
 */
import { commonScope, innerScope, rootScope, type Scope } from '../../analysis/scope-tree.ts';
import type { Expr, Func } from '../../expr/expr.ts';
import { OUTERMOST_LEVEL } from '../solve/holes.ts';
import { typedPart, walk } from './walk.ts';

/** The sites of one definition. */
export interface Sites {
  /** Whether a function is bound by a let, has no other use, and so gets its most general type. */
  readonly isBound: (node: Func) => boolean;
  /** Whether a function stands at one place of the definition. */
  readonly isUsedOnce: (node: Func) => boolean;
  /** The level of holes that arise at a node; at a site, of those inside. */
  readonly levelOf: (node: Expr) => number;
}

/**
 * The sites below the roots: functions that a let binds, and functions that declare type
 * parameters. `skip` prunes what needs no types.
 *
 * **Complexity** O(log depth) an edge.
 */
export function findSites(roots: ReadonlyArray<Expr>, skip: (node: Expr) => boolean): Sites {
  const scopes = new Map<Expr, Scope | undefined>();
  const order = compoundNodes(roots, skip, scopes);
  const uses = new Map<Expr, number>();
  const values = new Set<Expr>();
  for (const node of order) {
    for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
      if (part._tag === 'Function') uses.set(part, (uses.get(part) ?? 0) + 1);
    }
    if (node._tag === 'Let' && node.value._tag === 'Function') values.add(node.value);
  }
  // A function that has another use besides is not generalized: it would have two types.
  const isUsedOnce = (node: Func): boolean => uses.get(node) === 1;
  const isBound = (node: Func): boolean => values.has(node) && isUsedOnce(node);
  const root = rootScope();
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const used = scopes.get(node);
    const isSite =
      node._tag === 'Function' &&
      used !== undefined &&
      (node.typeParams.length > 0 || isBound(node));
    const home = isSite ? innerScope(used) : (used ?? root);
    if (home !== used) scopes.set(node, home);
    for (let at = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++at)) {
      if (typedPart(part, 0) === undefined) continue;
      const known = scopes.get(part);
      if (known === home) continue;
      scopes.set(part, known === undefined ? home : (commonScope(known, home) ?? root));
    }
  }
  return {
    isBound,
    isUsedOnce,
    levelOf: (node) => OUTERMOST_LEVEL + (scopes.get(node)?.depth ?? 0),
  };
}

/** The nodes that have parts, parts first: no hole arises at the others. Each is put into `seen`. */
function compoundNodes(
  roots: ReadonlyArray<Expr>,
  skip: (node: Expr) => boolean,
  seen: Map<Expr, undefined | Scope>,
): ReadonlyArray<Expr> {
  const order: Expr[] = [];
  const visitor = {
    needed: (node: Expr): boolean => {
      if (typedPart(node, 0) === undefined || seen.has(node) || skip(node)) return false;
      seen.set(node, undefined);
      return true;
    },
    before: () => undefined,
    complete: (node: Expr): void => {
      order.push(node);
    },
  };
  for (const root of roots) walk(root, visitor);
  return order;
}
