/** A function from the nodes that were chosen for its regions. */
import { postOrder } from '@baton/base';
import { type Expr, type IRModule, mapChildren } from '@baton/ir';
import type { Chosen, RegionChoice } from './choice.ts';
import { OPAQUE, type OpaqueNode } from './language.ts';
import { exprOf } from './region.ts';
import type { Placed, Regions } from './regions.ts';

/**
 * The expression of a function's body after the choice for each region. What was chosen and is part
 * of the function stays the same object.
 *
 * **Complexity** linear in the chosen nodes.
 */
export function assemble(
  regions: Regions,
  choiceOf: (placed: Placed) => RegionChoice,
  m: IRModule,
): Expr {
  const values = new Map<Chosen, Expr>();
  // The choice for an expression that inner regions take from its own. A region is entered after
  // those around it, so the first choice that is met is the one in its own region.
  const homes = new Map<Expr, Chosen>();
  const children = (chosen: Chosen): ReadonlyArray<Chosen> => {
    if (chosen.name !== OPAQUE) return chosen.children;
    const { expr, needs } = chosen.payload as OpaqueNode;
    needs.forEach((need, i) => {
      if (!homes.has(need)) homes.set(need, chosen.children[i] as Chosen);
    });
    const inner = regions.openedBy(expr).map((placed) => choiceOf(placed).root);
    return [...chosen.children, ...inner];
  };
  const madeOf = (chosen: Chosen): Expr => values.get(chosen) as Expr;
  const opaque = (chosen: Chosen): Expr => {
    const { expr, needs, isOuter } = chosen.payload as OpaqueNode;
    const home = isOuter ? homes.get(expr) : undefined;
    if (home !== undefined) return madeOf(home);
    const parts = new Map(needs.map((need, i) => [need, madeOf(chosen.children[i] as Chosen)]));
    for (const placed of regions.openedBy(expr)) {
      parts.set(placed.result, madeOf(choiceOf(placed).root));
    }
    return mapChildren(expr, (child) => parts.get(child) ?? child);
  };
  const { root } = choiceOf(regions.root);
  for (const chosen of postOrder(children, [root])) {
    values.set(chosen, chosen.name === OPAQUE ? opaque(chosen) : plain(chosen, madeOf, m));
  }
  return madeOf(root);
}

function plain(
  { name, payload, children, origin, span }: Chosen,
  madeOf: (chosen: Chosen) => Expr,
  m: IRModule,
): Expr {
  const parts = children.map(madeOf);
  if (origin === undefined) return exprOf(name, payload, parts, m, span);
  let at = 0;
  return mapChildren(origin, (child) => (child._tag === 'Op' ? child : (parts[at++] as Expr)));
}
