/**
 * The post-dominator tree of the forward graph
 * ([passes §8](https://batonjs.github.io/baton/spec/passes#8), step B).
 */
import type { Graph, GraphNode } from './graph.ts';
import { combine, ELEMWISE, OPAQUE, type PatternRank } from './pattern.ts';

/** A node of the tree. */
export interface DominatorNode {
  readonly node: GraphNode;
  /** The nearest node through which everything that uses this one passes. */
  readonly parent: DominatorNode | undefined;
  /** The hardest use on the way to the parent. */
  readonly pattern: PatternRank;
  readonly depth: number;
  /** An ancestor far up: following it where possible reaches any depth in O(log depth) steps. */
  readonly jump: DominatorNode | undefined;
  /** The hardest use on the way there. */
  readonly jumpPattern: PatternRank;
}

/**
 * The tree by node index, from lowest common ancestors of users, users first.
 *
 * **Complexity** O(log depth) a use.
 *
 * **Source** Myers, An Applicative Random-Access Stack, 1983, for the jumps.
 */
export function postDominators(graph: Graph): ReadonlyArray<DominatorNode> {
  const tree: DominatorNode[] = new Array(graph.nodes.length);
  for (let i = graph.nodes.length - 1; i >= 0; i--) {
    const node = graph.nodes[i] as GraphNode;
    tree[i] = node.isExternal
      ? treeNode(node, undefined, OPAQUE)
      : treeNode(node, ...commonUser(node, tree));
  }
  return tree;
}

function treeNode(
  node: GraphNode,
  parent: DominatorNode | undefined,
  pattern: PatternRank,
): DominatorNode {
  const near = parent?.jump;
  const far = near?.jump;
  const depth = parent === undefined ? 1 : parent.depth + 1;
  const isBalanced =
    parent !== undefined &&
    near !== undefined &&
    far !== undefined &&
    parent.depth - near.depth === near.depth - far.depth;
  return isBalanced
    ? {
        ...{ node, parent, pattern, depth, jump: far },
        jumpPattern: combine(pattern, combine(parent.jumpPattern, near.jumpPattern)),
      }
    : { node, parent, pattern, depth, jump: parent, jumpPattern: pattern };
}

/** The lowest common ancestor of all users, and the hardest use on the way to it. */
function commonUser(
  node: GraphNode,
  tree: ReadonlyArray<DominatorNode>,
): [parent: DominatorNode | undefined, pattern: PatternRank] {
  let pattern = ELEMWISE;
  let parent: DominatorNode | undefined;
  const up = (at: DominatorNode): DominatorNode | undefined => {
    pattern = combine(pattern, at.pattern);
    return at.parent;
  };
  const far = (at: DominatorNode): DominatorNode | undefined => {
    pattern = combine(pattern, at.jumpPattern);
    return at.jump;
  };
  const lifted = (from: DominatorNode, depth: number): DominatorNode | undefined => {
    let at: DominatorNode | undefined = from;
    while (at !== undefined && at.depth > depth) {
      at = at.jump !== undefined && at.jump.depth >= depth ? far(at) : up(at);
    }
    return at;
  };
  for (const [i, use] of node.uses.entries()) {
    pattern = combine(pattern, use.pattern);
    const user = tree[use.user.index] as DominatorNode;
    let left: DominatorNode | undefined = i === 0 ? user : parent;
    if (left === undefined) return [undefined, pattern];
    const depth = Math.min(left.depth, user.depth);
    left = lifted(left, depth);
    let right = lifted(user, depth);
    while (left !== right && left !== undefined && right !== undefined) {
      const step = left.jump !== right.jump ? far : up;
      left = step(left);
      right = step(right);
    }
    parent = left;
  }
  return [parent, pattern];
}
