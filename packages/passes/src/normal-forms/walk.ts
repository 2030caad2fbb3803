/** The walk that normal forms take through a function: in order of evaluation. */
import { children, type Expr, type Func } from '@baton/ir';
import { isSkipped } from '@baton/pass-manager';
import { isPrimitive } from '../primitive.ts';

/** A place where a node is used: child `index` of `node`. */
export interface Use {
  readonly node: Expr;
  readonly index: number;
}

/** Whether normal forms leave a global function as it is. */
export const isLeftAlone = (f: Func): boolean => isSkipped(f) || isPrimitive(f);

/** What has no evaluation. */
export const isAtom = (node: Expr): boolean =>
  node._tag === 'Var' ||
  node._tag === 'GlobalVar' ||
  node._tag === 'Op' ||
  node._tag === 'Constructor';

/** The children that are looked at: not those of a kernel. */
export const visibleChildren = (node: Expr): ReadonlyArray<Expr> =>
  isPrimitive(node) ? [] : children(node);

/** The nodes of an expression, children first, and for each but the root the use that found it. */
export function depthFirst(root: Expr): {
  readonly order: ReadonlyArray<Expr>;
  readonly firstUses: ReadonlyMap<Expr, Use>;
} {
  const order: Expr[] = [];
  const firstUses = new Map<Expr, Use>();
  const stack = [{ node: root, below: visibleChildren(root), at: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const index = top.at++;
    const child = top.below[index];
    if (child === undefined) {
      order.push(top.node);
      stack.pop();
    } else if (!firstUses.has(child)) {
      firstUses.set(child, { node: top.node, index });
      stack.push({ node: child, below: visibleChildren(child), at: 0 });
    }
  }
  return { order, firstUses };
}
