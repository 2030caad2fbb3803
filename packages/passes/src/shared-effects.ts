/** Function literals that share an effect with their surroundings. */
import {
  children,
  commonScope,
  type Expr,
  type Func,
  type IRModule,
  innerScope,
  isTotal,
  postOrderExprs,
  rootScope,
  type Scope,
} from '@baton/ir';

/**
 * The function literals in `f` that use a node with an effect which is also used around them: it is
 * evaluated once, outside, and a copy of the literal elsewhere would evaluate it again. Making a
 * reference is such an effect.
 *
 * **Complexity** O(log depth) a use.
 */
export function literalsSharingEffects(f: Func, m: IRModule): ReadonlySet<Func> {
  const users = [...postOrderExprs([f])].reverse();
  const root = rootScope();
  /** The innermost literal around all uses of a node. */
  const homes = new Map<Expr, Scope>([[f, root]]);
  const insides = new Map<Expr, Scope>();
  const literals: Func[] = [];
  for (const node of users) {
    const home = homes.get(node) ?? root;
    const isLiteral = node._tag === 'Function' && node !== f;
    if (isLiteral) literals.push(node);
    const inside = isLiteral ? innerScope(home) : home;
    insides.set(node, inside);
    for (const child of children(node)) {
      const before = homes.get(child);
      homes.set(child, before === undefined ? inside : (commonScope(before, inside) ?? root));
    }
  }
  /** The depth of the outermost effect outside a scope that is used in it. */
  const reach = new Map<Scope, number>();
  const reaches = (scope: Scope, depth: number): void => {
    if (depth < scope.depth) reach.set(scope, Math.min(reach.get(scope) ?? depth, depth));
  };
  for (const node of users) {
    const inside = insides.get(node) ?? root;
    for (const child of children(node)) {
      const home = homes.get(child) ?? root;
      if (home !== inside && !isTotal(m, child)) reaches(inside, home.depth);
    }
  }
  const sharing = new Set<Func>();
  for (const literal of literals.reverse()) {
    const scope = insides.get(literal) ?? root;
    const depth = reach.get(scope);
    if (depth === undefined) continue;
    sharing.add(literal);
    if (scope.parent !== undefined) reaches(scope.parent, depth);
  }
  return sharing;
}
