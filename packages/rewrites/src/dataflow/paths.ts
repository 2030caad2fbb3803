/** The paths from nodes to the one that they come from. */
import { postOrder, remember } from '@baton/base';
import { children, type Expr } from '@baton/ir';

/** The paths through a program that a dominator's patterns describe. */
export interface Paths {
  /** The one node that matches the parent, to which all inputs of a node lead. */
  readonly parentOf: (node: Expr) => Expr | undefined;
  /** The nodes on the paths from a node to its parent. */
  readonly between: (node: Expr) => ReadonlyArray<Expr>;
}

/** A parent; or that a path comes from nowhere, as a constant does; or that it leads elsewhere. */
type Source = Expr | 'nowhere' | 'elsewhere';

/** A node as a part of paths. */
type Role = 'parent' | 'path' | 'other';

/**
 * The paths whose ends match a parent, and whose nodes match the pattern of paths.
 *
 * **Complexity** linear in the nodes over all questions.
 */
export function pathsOf(isParent: (node: Expr) => boolean, isPath: (node: Expr) => boolean): Paths {
  const roles = new Map<Expr, Role>();
  const sources = new Map<Expr, Source>();
  const roleOf = (node: Expr): Role =>
    remember(roles, node, () => (isParent(node) ? 'parent' : isPath(node) ? 'path' : 'other'));
  const onPath = (node: Expr): ReadonlyArray<Expr> =>
    inputsOf(node).filter((input) => roleOf(input) === 'path');
  const sourceOf = (node: Expr): Source => {
    switch (roleOf(node)) {
      case 'parent':
        return node;
      case 'path':
        return sources.get(node) ?? 'elsewhere';
      default:
        return 'elsewhere';
    }
  };
  const merged = (node: Expr): Source => {
    let one: Source = 'nowhere';
    for (const input of inputsOf(node)) {
      const source = sourceOf(input);
      if (source === 'nowhere') continue;
      if (source === 'elsewhere' || (one !== 'nowhere' && one !== source)) return 'elsewhere';
      one = source;
    }
    return one;
  };
  return {
    parentOf: (node) => {
      for (const next of postOrder(onPath, [node], (n) => sources.has(n))) {
        sources.set(next, merged(next));
      }
      const source = sources.get(node);
      return typeof source === 'object' ? source : undefined;
    },
    between: (node) => postOrder(onPath, [node]).filter((next) => next !== node),
  };
}

/** What a node computes with: the arguments of a call without its callee. */
const inputsOf = (node: Expr): ReadonlyArray<Expr> =>
  node._tag === 'Call' ? node.args : children(node);
