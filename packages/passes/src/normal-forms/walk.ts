/** The walk of normal forms through a function, in order of evaluation. */
import { children, type Expr } from '@baton/ir';

/** A place where a node is used: child `index` of `node`. */
export interface Use {
  readonly node: Expr;
  readonly index: number;
}

/** Whether a node needs no evaluation. */
export const isAtom = (node: Expr): boolean =>
  node._tag === 'Var' ||
  node._tag === 'GlobalVar' ||
  node._tag === 'Op' ||
  node._tag === 'Constructor';

/** The children that a normal form visits: none of an unchanged part. */
export type VisibleChildren = (node: Expr) => ReadonlyArray<Expr>;

/** All children except those of unchanged parts. */
export const visibleChildren =
  (isKept: (node: Expr) => boolean): VisibleChildren =>
  (node) =>
    isKept(node) ? [] : children(node);

/** The nodes of an expression, children first, each except the root with its first use. */
export function depthFirst(
  root: Expr,
  below: VisibleChildren,
): {
  readonly order: ReadonlyArray<Expr>;
  readonly firstUses: ReadonlyMap<Expr, Use>;
} {
  const order: Expr[] = [];
  const firstUses = new Map<Expr, Use>();
  const stack = [{ node: root, below: below(root), at: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const index = top.at++;
    const child = top.below[index];
    if (child === undefined) {
      order.push(top.node);
      stack.pop();
    } else if (!firstUses.has(child)) {
      firstUses.set(child, { node: top.node, index });
      stack.push({ node: child, below: below(child), at: 0 });
    }
  }
  return { order, firstUses };
}
