/** The blocks of a function, in which a normal form can bind variables. */

import { InvariantError, remember } from '@baton/base';
import {
  children,
  commonScope,
  type Expr,
  type Func,
  type IRModule,
  innerScope,
  isStateful,
  isTotal,
  type Let,
  opensBlock,
  rootScope,
  type Scope,
} from '@baton/ir';
import { visibleIn } from '@baton/pass-manager';
import { type Alternatives, isDemanded } from './demand.ts';
import { type RecursiveFunctions, recursiveFunctions } from './recursion.ts';
import { depthFirst, isAtom, type Use, type WalkStep } from './walk.ts';

/** A node among the blocks of a function. */
export interface Placement {
  /** The innermost block that holds all uses of the node. */
  readonly home: Scope;
  /** The block of the node's operands: its home, or a separate one if it is deferred or nested. */
  readonly inside: Scope;
  /** The blocks whose results are children of the node, by the index of the child. */
  readonly opened: ReadonlyArray<Scope | undefined>;
  /** Whether the node is first reached in a block inside its home. */
  readonly isHoisted: boolean;
  /**
   * Whether a hoisted node must not be evaluated ahead of its first use: it is stateful, or it may
   * fail and not every way needs it (decision
   * [D15](https://batonjs.github.io/baton/spec/decisions#D15)), or it needs a function that is
   * being defined.
   */
  readonly isDeferred: boolean;
  /** Whether the node ends a block, so that a let's variable belongs to that block. */
  readonly isTail: boolean;
}

export interface Blocks {
  readonly steps: ReadonlyArray<WalkStep>;
  readonly placements: ReadonlyMap<Expr, Placement>;
  /** The let whose value the node is at its first use. */
  readonly binderOf: (node: Expr) => Let | undefined;
}

export interface BlockOptions {
  /** Whether a let that does not end a block, such as one in an operand, is a separate block. */
  readonly nestsLets: boolean;
}

/**
 * The blocks of a function: its body, the bodies of functions inside it, the branches of conditions
 * and the clauses of matches. A deferred node is a block of its own.
 *
 * **Complexity** O(log depth) a use, times the nesting of recursive local functions.
 */
export function functionBlocks(f: Func, m: IRModule, { nestsLets }: BlockOptions): Blocks {
  const { isKept } = visibleIn(f.body, m);
  const { steps, order, firstUses } = depthFirst(f.body, isKept);
  const layout: Layout = {
    m,
    nestsLets,
    firstUses,
    recursion: recursiveFunctions(order),
    uses: new Map([[f.body, [{ block: rootScope(), isTail: true }]]]),
    alternatives: new Map(),
    placements: new Map(),
  };
  // In this order every use of a node comes before the node.
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const below = isKept(node) ? [] : children(node);
    const placement = placed(layout, node, below);
    layout.placements.set(node, placement);
    below.forEach((child, index) => {
      const opened = placement.opened[index];
      const endsLet = node._tag === 'Let' && index === 1 && (placement.isTail || nestsLets);
      const use = { block: opened ?? placement.inside, isTail: opened !== undefined || endsLet };
      remember(layout.uses, child, (): BlockUse[] => []).push(use);
    });
  }
  const binderOf = (node: Expr): Let | undefined => {
    const use = firstUses.get(node);
    return use?.node._tag === 'Let' && use.index === 0 ? use.node : undefined;
  };
  return { steps, placements: layout.placements, binderOf };
}

export function placementOf(placements: ReadonlyMap<Expr, Placement>, node: Expr): Placement {
  const placement = placements.get(node);
  if (placement === undefined) throw new InvariantError('each node of a function has a placement');
  return placement;
}

/** A use in a block; a tail is the block's result, or the body of a let that is. */
interface BlockUse {
  readonly block: Scope;
  readonly isTail: boolean;
}

/** The facts about a node once the blocks of its users are known. */
interface Layout extends BlockOptions {
  readonly m: IRModule;
  readonly firstUses: ReadonlyMap<Expr, Use>;
  readonly recursion: RecursiveFunctions;
  readonly uses: Map<Expr, BlockUse[]>;
  readonly alternatives: Map<Scope, Alternatives>;
  readonly placements: Map<Expr, Placement>;
}

function placed(layout: Layout, node: Expr, below: ReadonlyArray<Expr>): Placement {
  const uses = layout.uses.get(node) ?? [];
  const blocks = uses.map(({ block }) => block);
  const home = blocks.reduce((a, b) => commonScope(a, b) ?? a);
  const first = layout.firstUses.get(node);
  const from = first === undefined ? home : blockOfUse(layout.placements, first);
  const isDeferred = from !== home && mustWait(layout, node, from, home, blocks);
  const isTail = isDeferred || (uses.length === 1 && uses[0]?.isTail === true);
  const isNested = node._tag === 'Let' && !isTail && layout.nestsLets;
  const inside = isDeferred || isNested ? openInside(layout, home) : home;
  if (isNested) layout.alternatives.set(inside, { block: home, count: 1 });
  const opened = openedBy(layout, node, below, inside);
  return { home, inside, opened, isHoisted: from !== home, isDeferred, isTail };
}

export function blockOfUse(placements: ReadonlyMap<Expr, Placement>, { node, index }: Use): Scope {
  const { opened, inside } = placementOf(placements, node);
  return opened[index] ?? inside;
}

/** Whether a hoisted node must not be evaluated ahead of its first use, in the block `from`. */
function mustWait(
  { m, alternatives, recursion }: Layout,
  node: Expr,
  from: Scope,
  home: Scope,
  blocks: ReadonlyArray<Scope>,
): boolean {
  if (isAtom(node)) return false;
  const maySkip =
    !isTotal(m, node) && (isStateful(m, node) || !isDemanded(home, blocks, alternatives));
  return maySkip || recursion.isNeeded(node, from, home);
}

function openInside({ recursion }: Layout, outer: Scope): Scope {
  const inner = innerScope(outer);
  recursion.enter(inner, outer);
  return inner;
}

/** The blocks that a node opens for its children: a function's body, or alternatives. */
function openedBy(
  layout: Layout,
  node: Expr,
  below: ReadonlyArray<Expr>,
  inside: Scope,
): ReadonlyArray<Scope | undefined> {
  const opened = below.map((_, index) =>
    opensBlock(node, index) ? openInside(layout, inside) : undefined,
  );
  const branches = opened.filter((block) => block !== undefined);
  const together = { block: inside, count: branches.length };
  for (const block of branches) {
    if (node._tag === 'Function') layout.recursion.enterFunction(block, inside, node);
    else layout.alternatives.set(block, together);
  }
  return opened;
}
