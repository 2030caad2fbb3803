/** The post-dominator tree of the forward graph (passes.md §8, step B). */
import type { Graph, GraphNode } from './graph.ts';
import { combine, ELEMWISE, OPAQUE, type PatternRank } from './pattern.ts';

/** A node of the tree. */
export interface DominatorNode {
  readonly node: GraphNode;
  /** The nearest node through which everything that uses this one passes. */
  readonly parent: DominatorNode | undefined;
  readonly depth: number;
  /** The hardest use on the way to the parent. */
  readonly pattern: PatternRank;
}

/**
 * The tree by node index, from lowest common ancestors of users, users first.
 *
 * **Complexity** linear in uses, times the depth difference of the users of one node.
 */
export function postDominators(graph: Graph): ReadonlyArray<DominatorNode> {
  const tree: DominatorNode[] = new Array(graph.nodes.length);
  for (let i = graph.nodes.length - 1; i >= 0; i--) {
    const node = graph.nodes[i] as GraphNode;
    if (node.isExternal) {
      tree[i] = { node, parent: undefined, depth: 1, pattern: OPAQUE };
      continue;
    }
    const { parent, pattern } = commonAncestor(node, tree);
    tree[i] = { node, parent, depth: parent === undefined ? 1 : parent.depth + 1, pattern };
  }
  return tree;
}

function commonAncestor(
  node: GraphNode,
  tree: ReadonlyArray<DominatorNode>,
): { parent: DominatorNode | undefined; pattern: PatternRank } {
  let pattern = ELEMWISE;
  let parent: DominatorNode | undefined;
  for (const [i, use] of node.uses.entries()) {
    pattern = combine(pattern, use.pattern);
    let left = i === 0 ? tree[use.user.index] : parent;
    let right = tree[use.user.index];
    while (left !== right && left !== undefined && right !== undefined) {
      if (left.depth >= right.depth) {
        const up: DominatorNode | undefined = left.parent;
        pattern = combine(pattern, left.pattern);
        if (left.depth === right.depth) {
          pattern = combine(pattern, right.pattern);
          right = right.parent;
        }
        left = up;
      } else {
        pattern = combine(pattern, right.pattern);
        right = right.parent;
      }
    }
    parent = left === right ? left : undefined;
    if (parent === undefined) break;
  }
  return { parent, pattern };
}
