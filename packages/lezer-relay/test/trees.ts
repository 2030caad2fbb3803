/** Compares trees of the grammar with the tokens of the lexer. */
import { lex } from '@baton/text';
import type { Tree } from '@lezer/common';
import { parser } from '../src/index.ts';

/** The first error in a tree, with the text around it. */
export function errorIn(text: string, tree: Tree = parser.parse(text)): string | undefined {
  let found: string | undefined;
  tree.iterate({
    enter: (node) => {
      if (node.type.isError) found ??= `${text.slice(0, node.from)}⟨!⟩${text.slice(node.from)}`;
    },
  });
  return found;
}

/** The ranges of the leaves of a tree, except comments and metadata. */
export function leavesOf(tree: Tree): ReadonlyArray<string> {
  const leaves: string[] = [];
  tree.iterate({
    enter: (node) => {
      if (/Comment|Metadata/.test(node.name)) return false;
      if (node.node.firstChild === null && !node.type.isTop) leaves.push(`${node.from}-${node.to}`);
      return undefined;
    },
  });
  return leaves;
}

export function tokensOf(text: string): ReadonlyArray<string> {
  const { kinds, starts, ends } = lex({ name: '', text }).tokens;
  return kinds.slice(0, -1).map((_, i) => `${starts[i]}-${ends[i]}`);
}
