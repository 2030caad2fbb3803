/**
 * A limit on the depth of trees. Lezer builds trees by recursion, and CodeMirror highlights them by
 * recursion: a text of 10,000 brackets would end in an exception. Such a text has a tree without nodes.
 */
import {
  type Input,
  type NodeType,
  type ParseWrapper,
  type PartialParse,
  Tree,
} from '@lezer/common';

/** The deepest tree, in nodes that have many others below them: smaller ones are flat in a buffer. */
export const MAX_DEPTH = 500;

/** Gives a parse of deep texts up. */
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

/** Whether a tree is at most so deep. **Complexity** linear in its nodes outside of buffers. */
function isShallow(root: Tree): boolean {
  let level: Tree[] = [root];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const below: Tree[] = [];
    for (const { children } of level) {
      for (const child of children) if (child instanceof Tree) below.push(child);
    }
    if (below.length === 0) return true;
    level = below;
  }
  return false;
}
