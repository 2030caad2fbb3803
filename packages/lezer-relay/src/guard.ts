/**
 * Limits the depth of trees. Lezer builds trees and CodeMirror highlights them by recursion: a text
 * of 10,000 brackets would end in an exception. Such a text gets a tree without nodes.
 */
import {
  type Input,
  type NodeType,
  type ParseWrapper,
  type PartialParse,
  Tree,
  type TreeBuffer,
} from '@lezer/common';

/** The deepest nesting of nodes. */
export const MAX_DEPTH = 800;

/** Abandons the parse of a text that nests too deep. */
export const guarded =
  (top: NodeType): ParseWrapper =>
  (inner, input) =>
    guardedParse(inner, input, top);

function guardedParse(inner: PartialParse, input: Input, top: NodeType): PartialParse {
  const flat = (): Tree => new Tree(top, [], [], inner.stoppedAt ?? input.length);
  return {
    advance: () => {
      try {
        const tree = inner.advance();
        return tree === null || isShallow(tree) ? tree : flat();
      } catch (thrown) {
        // The stack is too small for the tree.
        if (thrown instanceof RangeError) return flat();
        throw thrown;
      }
    },
    get parsedPos() {
      return inner.parsedPos;
    },
    stopAt: (pos) => inner.stopAt(pos),
    get stoppedAt() {
      return inner.stoppedAt;
    },
  };
}

/** The depths of trees and buffers: a parse after a change reuses most of the old ones. */
const depths = new WeakMap<Tree | TreeBuffer, number>();

/** Whether a tree nests no deeper than allowed. **Complexity** linear in new nodes. */
function isShallow(root: Tree): boolean {
  const pending: Tree[] = [root];
  for (let tree = pending.at(-1); tree !== undefined; tree = pending.at(-1)) {
    const open = tree.children.filter((child) => child instanceof Tree && !depths.has(child));
    if (open.length > 0) {
      for (const child of open) pending.push(child as Tree);
      continue;
    }
    pending.pop();
    let below = 0;
    for (const child of tree.children) below = Math.max(below, depthOf(child));
    // A node without a name only groups others.
    depths.set(tree, below + (tree.type.isAnonymous ? 0 : 1));
  }
  return (depths.get(root) ?? 0) <= MAX_DEPTH;
}

function depthOf(part: Tree | TreeBuffer): number {
  const known = depths.get(part);
  if (known !== undefined) return known;
  const depth = part instanceof Tree ? 0 : depthOfBuffer(part);
  depths.set(part, depth);
  return depth;
}

/**
 * A buffer stores four numbers for each node, parents first; the last one is the end of its parts.
 */
function depthOfBuffer({ buffer }: TreeBuffer): number {
  const ends: number[] = [];
  let depth = 0;
  for (let i = 0; i < buffer.length; i += 4) {
    while ((ends.at(-1) ?? buffer.length) <= i) ends.pop();
    ends.push(buffer[i + 3] as number);
    depth = Math.max(depth, ends.length);
  }
  return depth;
}
