/** The blocks of a function, in which a normal form can bind variables. */
import {
  commonScope,
  type Expr,
  type Func,
  type IRModule,
  innerScope,
  isStateful,
  isTotal,
  opensBlock,
  rootScope,
  type Scope,
} from '@baton/ir';
import { visibleIn } from '../visible.ts';
import { type Alternatives, isDemanded } from './demand.ts';
import { recursiveFunctions } from './recursion.ts';
import { depthFirst, isAtom, type VisibleChildren, visibleChildren } from './walk.ts';

/** The block of each node of a function. */
export interface Blocks {
  /** The nodes, children first. */
  readonly order: ReadonlyArray<Expr>;
  readonly visible: VisibleChildren;
  /** The block of the function's body. */
  readonly root: Scope;
  /** The block in which child `index` of `node` is used. */
  readonly blockOfUse: (node: Expr, index: number) => Scope;
  /** Whether child `index` of `node` is the result of a block of its own. */
  readonly opens: (node: Expr, index: number) => boolean;
  /** The innermost block that holds all uses of a node; of a deferred node, its own. */
  readonly blockOf: (node: Expr) => Scope;
  /** The block of a node's own operands: a deferred node's, a nested let's. */
  readonly ownBlock: (node: Expr) => Scope | undefined;
  /** Whether the node is first reached in a block inside the one that holds all its uses. */
  readonly isHoisted: (node: Expr) => boolean;
  /**
   * Whether a hoisted node must not be evaluated ahead of its first use: it is stateful, or it may
   * fail and not every way needs it (decision
   * [D15](https://batonjs.github.io/baton/spec/decisions#D15)), or it needs a function that is
   * being defined.
   */
  readonly isDeferred: (node: Expr) => boolean;
  readonly defersNothing: boolean;
  /** Whether a let ends a block, so that its variable belongs to that block. */
  readonly isTail: (node: Expr) => boolean;
}

/** The choice of blocks. */
export interface BlockOptions {
  /** Whether a let that does not end a block, such as one in an operand, is a block of its own. */
  readonly nestsLets: boolean;
}

/**
 * The blocks of a function: its body, the bodies of functions inside it, the branches of conditions
 * and the clauses of matches. A deferred node is a block of its own.
 *
 * **Complexity** O(log depth) a use, times the nesting of recursive local functions.
 */
export function functionBlocks(f: Func, m: IRModule, options: BlockOptions): Blocks {
  const visible = visibleChildren(visibleIn(f.body, m).isKept);
  const { order, firstUses } = depthFirst(f.body, visible);
  const root = rootScope();
  const homes = new Map<Expr, Scope>();
  // The block of a node's operands, if it is not the node's home.
  const own = new Map<Expr, Scope>();
  const opened = new Map<Expr, ReadonlyArray<Scope | undefined>>();
  const alternatives = new Map<Scope, Alternatives>();
  const hoisted = new Set<Expr>();
  const deferred = new Set<Expr>();
  const tails = new Set<Expr>([f.body]);
  const uses = new Map<Expr, Scope[]>([[f.body, [root]]]);
  const recursion = recursiveFunctions(order);

  const insideOf = (node: Expr): Scope => own.get(node) ?? homes.get(node) ?? root;
  const blockOfUse = (node: Expr, index: number): Scope =>
    opened.get(node)?.[index] ?? insideOf(node);
  const isDeferred = (node: Expr, from: Scope, home: Scope): boolean => {
    if (isAtom(node)) return false;
    const waits =
      !isTotal(m, node) &&
      (isStateful(m, node) || !isDemanded(home, uses.get(node) ?? [], alternatives));
    return waits || recursion.isNeeded(node, from, home);
  };
  const openInside = (outer: Scope): Scope => {
    const inner = innerScope(outer);
    recursion.enter(inner, outer);
    return inner;
  };
  const place = (node: Expr): void => {
    const home = (uses.get(node) ?? []).reduce((a, b) => commonScope(a, b) ?? root);
    homes.set(node, home);
    const first = firstUses.get(node);
    const from = first === undefined ? root : blockOfUse(first.node, first.index);
    if (from !== home) {
      hoisted.add(node);
      if (isDeferred(node, from, home)) deferred.add(node);
    }
    if (deferred.has(node)) {
      own.set(node, openInside(home));
      tails.add(node);
    } else if (node._tag === 'Let' && !(tails.has(node) && uses.get(node)?.length === 1)) {
      tails.delete(node);
      if (options.nestsLets) {
        const inner = openInside(home);
        own.set(node, inner);
        alternatives.set(inner, { block: home, count: 1 });
      }
    }
  };
  const openBlocks = (node: Expr): void => {
    const inside = insideOf(node);
    const below = visible(node);
    const inner = below.map((_, index) =>
      opensBlock(node, index) ? openInside(inside) : undefined,
    );
    opened.set(node, inner);
    const branches = inner.filter((block) => block !== undefined);
    const together = { block: inside, count: branches.length };
    for (const block of branches) {
      if (node._tag === 'Function') recursion.enterFunction(block, inside, node);
      else alternatives.set(block, together);
    }
    below.forEach((child, index) => {
      const known = uses.get(child);
      if (known === undefined) uses.set(child, [blockOfUse(node, index)]);
      else known.push(blockOfUse(node, index));
      const endsTail = node._tag === 'Let' && index === 1 && (tails.has(node) || own.has(node));
      if (inner[index] !== undefined || endsTail) tails.add(child);
    });
  };
  // In this order every use of a node comes before the node.
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    place(node);
    openBlocks(node);
  }
  return {
    order,
    visible,
    root,
    blockOfUse,
    opens: (node, index) => opened.get(node)?.[index] !== undefined,
    blockOf: (node) => (deferred.has(node) ? insideOf(node) : (homes.get(node) ?? root)),
    ownBlock: (node) => own.get(node),
    isHoisted: (node) => hoisted.has(node),
    isDeferred: (node) => deferred.has(node),
    defersNothing: deferred.size === 0,
    isTail: (node) => tails.has(node),
  };
}
