/**
 * The post-dominator tree of the forward graph
 * ([passes §8](https://batonjs.github.io/baton/spec/passes#8), step B).
 */
import type { GraphNode } from './graph.ts';
import { combine, ELEMWISE, OPAQUE, type PatternRank } from './pattern.ts';

export interface DominatorNode {
  /** `undefined` for the root, which represents everything outside of fused functions. */
  readonly node: GraphNode | undefined;
  /** The nearest node through which all uses of this one pass; the root is its own. */
  readonly parent: DominatorNode;
  /** The hardest use on the way to the parent. */
  readonly pattern: PatternRank;
  readonly depth: number;
  /** An ancestor far up, for access to any depth in O(log depth) steps. */
  readonly jump: DominatorNode;
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
export function postDominators(nodes: ReadonlyArray<GraphNode>): ReadonlyArray<DominatorNode> {
  const root = rootNode();
  const tree: DominatorNode[] = new Array(nodes.length);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i] as GraphNode;
    tree[i] = node.isExternal
      ? treeNode(node, root, OPAQUE)
      : treeNode(node, ...commonUser(node, tree, root));
  }
  return tree;
}

function rootNode(): DominatorNode {
  const parts = { node: undefined, pattern: OPAQUE, depth: 0, jumpPattern: OPAQUE };
  const root = {
    ...parts,
    get parent(): DominatorNode {
      return root;
    },
    get jump(): DominatorNode {
      return root;
    },
  };
  return root;
}

function treeNode(node: GraphNode, parent: DominatorNode, pattern: PatternRank): DominatorNode {
  const near = parent.jump;
  const depth = parent.depth + 1;
  const isBalanced = parent.depth - near.depth === near.depth - near.jump.depth;
  return isBalanced
    ? {
        ...{ node, parent, pattern, depth, jump: near.jump },
        jumpPattern: combine(pattern, combine(parent.jumpPattern, near.jumpPattern)),
      }
    : { node, parent, pattern, depth, jump: parent, jumpPattern: pattern };
}

/** The lowest common ancestor of all users, and the hardest use on the way to it. */
function commonUser(
  node: GraphNode,
  tree: ReadonlyArray<DominatorNode>,
  root: DominatorNode,
): [parent: DominatorNode, pattern: PatternRank] {
  let pattern = ELEMWISE;
  const up = (at: DominatorNode): DominatorNode => {
    pattern = combine(pattern, at.pattern);
    return at.parent;
  };
  const far = (at: DominatorNode): DominatorNode => {
    pattern = combine(pattern, at.jumpPattern);
    return at.jump;
  };
  const lifted = (from: DominatorNode, depth: number): DominatorNode => {
    let at = from;
    while (at.depth > depth) at = at.jump.depth >= depth ? far(at) : up(at);
    return at;
  };
  const common = (a: DominatorNode, b: DominatorNode): DominatorNode => {
    const depth = Math.min(a.depth, b.depth);
    let left = lifted(a, depth);
    let right = lifted(b, depth);
    while (left !== right) {
      const step = left.jump !== right.jump ? far : up;
      left = step(left);
      right = step(right);
    }
    return left;
  };
  let parent: DominatorNode | undefined;
  for (const use of node.uses) {
    pattern = combine(pattern, use.pattern);
    const user = tree[use.user.index] as DominatorNode;
    parent = parent === undefined ? user : common(parent, user);
  }
  return [parent ?? root, pattern];
}
