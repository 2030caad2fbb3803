/** The blocks of a function: the places where a normal form can bind variables. */
import {
  children,
  commonScope,
  type Expr,
  type Func,
  innerScope,
  postOrderExprs,
  rootScope,
  type Scope,
} from '@baton/ir';
import { isPrimitive } from '../primitive.ts';

/** The block in which each node of a function is evaluated. */
export interface Blocks {
  /** Of the function's body. */
  readonly root: Scope;
  /** The innermost block that holds all uses of the node. */
  readonly blockOf: (node: Expr) => Scope;
  /** The block that child `index` of `node` is evaluated in, if it has one of its own. */
  readonly opened: (node: Expr, index: number) => Scope | undefined;
  /** How often a node is used. */
  readonly usesOf: (node: Expr) => number;
  /** Whether every evaluation of the node's block that goes through evaluates the node. */
  readonly isDemanded: (node: Expr) => boolean;
  /** Whether the node is first reached in a block inside its own. */
  readonly isHoisted: (node: Expr) => boolean;
}

/** The children that are looked at: not those of a kernel. */
export const visibleChildren = (node: Expr): ReadonlyArray<Expr> =>
  isPrimitive(node) ? [] : children(node);

/**
 * The blocks of a function: its body, the bodies of functions inside it, and the branches of
 * conditions and matches.
 *
 * **Complexity** O(log depth) a use.
 */
export function functionBlocks(f: Func): Blocks {
  const root = rootScope();
  const blocks = new Map<Expr, Scope>([[f.body, root]]);
  const openedBy = new Map<Expr, ReadonlyArray<Scope | undefined>>();
  const owners = new Map<Scope, Expr>();
  const users = new Map<Expr, Scope[]>([[f.body, [root]]]);
  const order = postOrderExprs([f.body]);
  // In this order every use of a node comes before the node.
  for (const node of [...order].reverse()) {
    const home = blocks.get(node);
    if (home === undefined) continue;
    const opened = visibleChildren(node).map((child, index) => {
      const inner = opensBlock(node, index) ? innerScope(home) : undefined;
      if (inner !== undefined) owners.set(inner, node);
      const block = inner ?? home;
      const known = blocks.get(child);
      blocks.set(child, known === undefined ? block : (commonScope(known, block) ?? root));
      const used = users.get(child);
      if (used === undefined) users.set(child, [block]);
      else used.push(block);
      return inner;
    });
    openedBy.set(node, opened);
  }
  const blockOf = (node: Expr): Scope => blocks.get(node) ?? root;

  const isDemanded = (node: Expr): boolean => {
    const home = blockOf(node);
    const demanding = new Set(users.get(node) ?? []);
    // A block all of whose alternatives demand the node demands it, too.
    for (const block of demanding) {
      if (block === home) return true;
      const owner = owners.get(block);
      if (owner === undefined || owner._tag === 'Function') continue;
      const alternatives = (openedBy.get(owner) ?? []).filter((b) => b !== undefined);
      if (alternatives.every((b) => demanding.has(b))) demanding.add(blockOf(owner));
    }
    return demanding.has(home);
  };
  return {
    root,
    blockOf,
    opened: (node, index) => openedBy.get(node)?.[index],
    usesOf: (node) => users.get(node)?.length ?? 0,
    isDemanded,
    isHoisted: (node) => (users.get(node) ?? []).some((block) => block !== blockOf(node)),
  };
}

function opensBlock(node: Expr, index: number): boolean {
  switch (node._tag) {
    case 'Function':
      return true;
    case 'If':
    case 'Match':
      return index > 0;
    default:
      return false;
  }
}
