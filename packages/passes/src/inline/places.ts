/** The places at which a function uses its parameters. */
import {
  children,
  commonScope,
  type Expr,
  type Func,
  innerScope,
  postOrderExprs,
  rootScope,
  type Scope,
} from '@baton/ir';

/**
 * For each parameter, whether all its uses are in one inner function: its replacement would be
 * computed by each call of that function.
 *
 * **Complexity** O(log depth) a use.
 */
export function placesOfParams(f: Func): ReadonlyArray<boolean> {
  const root = rootScope();
  const homes = new Map<Expr, Scope>([[f.body, root]]);
  const order = postOrderExprs([f.body]);
  // In this order every use of a node comes before the node.
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const home = homes.get(node) ?? root;
    const inside = node._tag === 'Function' ? innerScope(home) : home;
    for (const child of children(node)) {
      const known = homes.get(child);
      homes.set(child, known === undefined ? inside : (commonScope(known, inside) ?? root));
    }
  }
  return f.params.map((param) => (homes.get(param) ?? root) !== root);
}
