/** The costs of terms. */
import type { ReadableNode } from './readable.ts';

/**
 * The cost of a term, from its top node and the costs of its children. `C` may be any type that
 * `compare` orders totally.
 *
 * A term must cost at least as much as each child.
 */
export interface CostFunction<C> {
  cost(node: ReadableNode, childCost: (index: number) => C): C;
  /** Negative if `a` is cheaper. */
  compare(a: C, b: C): number;
}

/** The cost of a node without its children, 0 or more; infinite for a node that must not be chosen. */
export type NodeCost = (node: ReadableNode) => number;

export const sizeCost: CostFunction<number> = sumOf(() => 1);

/** The number of nodes on the longest path from the top of a term to a leaf. */
export const depthCost: CostFunction<number> = {
  cost(node, childCost) {
    let deepest = 0;
    for (let i = 0; i < node.children.length; i++) deepest = Math.max(deepest, childCost(i));
    return deepest + 1;
  },
  compare: (a, b) => a - b,
};

export function sumOf(nodeCost: NodeCost): CostFunction<number> {
  return {
    cost(node, childCost) {
      let total = nodeCost(node);
      for (let i = 0; i < node.children.length; i++) total += childCost(i);
      return total;
    },
    compare: (a, b) => a - b,
  };
}
