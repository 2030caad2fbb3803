/** The walk of normal forms through a function, in order of evaluation. */
import { children, type Expr } from '@baton/ir';

/** A use of a node: child `index` of `node`. */
export interface Use {
  readonly node: Expr;
  readonly index: number;
}

/** A step of the walk: `node` takes a finished child, or is finished itself if that is absent. */
export interface WalkStep extends Use {
  readonly child: Expr | undefined;
}

/** Whether a node needs no evaluation. */
export const isAtom = (node: Expr): boolean =>
  node._tag === 'Var' ||
  node._tag === 'GlobalVar' ||
  node._tag === 'Op' ||
  node._tag === 'Constructor';

/** A walk that enters each node at its first use, and nothing below those that `isKept` names. */
export function depthFirst(
  root: Expr,
  isKept: (node: Expr) => boolean,
): {
  readonly steps: ReadonlyArray<WalkStep>;
  /** The nodes, children first. */
  readonly order: ReadonlyArray<Expr>;
  readonly firstUses: ReadonlyMap<Expr, Use>;
} {
  const steps: WalkStep[] = [];
  const order: Expr[] = [];
  const firstUses = new Map<Expr, Use>();
  const below = (node: Expr): ReadonlyArray<Expr> => (isKept(node) ? [] : children(node));
  const stack = [{ node: root, below: below(root), at: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { node, at: index } = top;
    const child = top.below[index];
    if (child !== undefined && !firstUses.has(child)) {
      firstUses.set(child, { node, index });
      stack.push({ node: child, below: below(child), at: 0 });
      continue;
    }
    steps.push({ node, index, child });
    top.at++;
    if (child !== undefined) continue;
    order.push(node);
    stack.pop();
  }
  return { steps, order, firstUses };
}
