/** A function from the nodes that were chosen for its blocks. */
import { postOrder } from '@baton/base';
import { type Expr, type IRModule, mapChildren, withChildren } from '@baton/ir';
import type { Block, Blocks } from './blocks.ts';
import type { BlockChoice } from './choice.ts';
import { type Chosen, isEverywhere, OPAQUE, type OpaqueNode } from './language.ts';
import { exprOf } from './region.ts';

/**
 * The expression of a function's body after the choice for each block. What was chosen and is part
 * of the function stays the same object.
 *
 * **Complexity** linear in the chosen nodes.
 */
export function assemble(
  blocks: Blocks,
  body: Block,
  choiceOf: (block: Block) => BlockChoice,
  m: IRModule,
): Expr {
  const values = new Map<Chosen, Expr>();
  // The choice for an expression that inner blocks take from its own. A block is entered after
  // those around it, so the first choice that is met is the one in its own region.
  const homes = new Map<Expr, Chosen>();
  const children = (chosen: Chosen): ReadonlyArray<Chosen> => {
    if (chosen.name !== OPAQUE) return chosen.children;
    const { expr, needs, isOuter } = chosen.payload as OpaqueNode;
    if (isOuter) return [];
    needs.forEach((need, i) => {
      if (!homes.has(need)) homes.set(need, chosen.children[i] as Chosen);
    });
    const inner = blocks.openedBy(expr).map((block) => choiceOf(block).root);
    return [...chosen.children, ...inner];
  };
  const madeOf = (chosen: Chosen): Expr => values.get(chosen) as Expr;
  const opaque = (chosen: Chosen): Expr => {
    const { expr, needs, isOuter } = chosen.payload as OpaqueNode;
    if (isOuter) {
      const home = isEverywhere(expr) ? undefined : homes.get(expr);
      // What opaque functions share with their surroundings is in no block, and stays as it is.
      return home === undefined || home === chosen ? expr : madeOf(home);
    }
    const parts = new Map(needs.map((need, i) => [need, madeOf(chosen.children[i] as Chosen)]));
    for (const block of blocks.openedBy(expr)) {
      parts.set(block.result, madeOf(choiceOf(block).root));
    }
    return mapChildren(expr, (child) => parts.get(child) ?? child);
  };
  const { root } = choiceOf(body);
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
  const callee = origin._tag === 'Call' ? [origin.op] : [];
  return withChildren(origin, [...parts, ...callee]);
}
