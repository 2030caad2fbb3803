/** The costs of expressions of a function, and of the functions that it calls. */
import { remember } from '@baton/base';
import { callGraph, type Expr, type Func, type IRModule, namedGlobals } from '@baton/ir';
import { visibleIn } from '@baton/pass-manager';
import type { NodeCost } from '../cost.ts';
import { isCompileTime } from '../match/fold.ts';
import type { Block, Blocks } from './blocks.ts';
import { isEverywhere } from './language.ts';

/** The costs of expressions of a function. */
export interface Costs {
  /** The cost of a node; with the callee's body if it calls a function of the module. */
  readonly ofNode: (node: Expr) => number;
  /** The cost of an expression of the function, with the blocks that it opens. */
  readonly ofExpr: (expr: Expr) => number;
}

/** The costs of the nodes and the functions of modules. */
export interface ModuleCosts {
  readonly ofNode: NodeCost;
  /** The cost of each function's body, with those that it calls. Computed once for a module. */
  readonly ofBodies: (m: IRModule) => ReadonlyMap<string, number>;
}

/** The costs by a model. */
export function moduleCosts(ofNode: NodeCost): ModuleCosts {
  const known = new WeakMap<IRModule, ReadonlyMap<string, number>>();
  return { ofNode, ofBodies: (m) => remember(known, m, () => bodyCosts(m, ofNode)) };
}

/** Of two programs with the same cost, the one with fewer nodes is better. */
const NODE_COST = 1e-6;

/**
 * The costs of expressions of a function, when a choice is known for each block inside. What a
 * compiler can compute is free.
 */
export function costsOf(
  f: Func,
  blocks: Blocks,
  choiceOf: (block: Block) => { readonly cost: number },
  { ofNode: cost, ofBodies }: ModuleCosts,
  m: IRModule,
): Costs {
  const callees = namedGlobals(f).size === 0 ? new Map<string, number>() : ofBodies(m);
  const known = new Map<Expr, number>();
  const ofNode = (node: Expr): number =>
    remember(known, node, () =>
      isEverywhere(node) || isCompileTime(m, node)
        ? 0
        : NODE_COST + cost(node, m) + calledCost(node, callees),
    );
  const ofExpr = (expr: Expr): number =>
    blocks.openedBy(expr).reduce((sum, block) => sum + choiceOf(block).cost, ofNode(expr));
  return { ofNode, ofExpr };
}

/** The cost of the global functions that a node calls, or gives to another that may call them. */
function calledCost(node: Expr, costs: ReadonlyMap<string, number>): number {
  if (node._tag !== 'Call') return 0;
  const named = [node.op, ...node.args].filter((part) => part._tag === 'GlobalVar');
  return named.reduce((sum, { nameHint }) => sum + (costs.get(nameHint) ?? 0), 0);
}

/** The cost of each function's body, with those that it calls; a recursive call is free. */
function bodyCosts(m: IRModule, cost: NodeCost): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const name of callGraph(m.functions).groups.flat()) {
    const f = m.functions.get(name);
    if (f === undefined) continue;
    let sum = 0;
    for (const node of visibleIn(f.body, m).order) {
      sum += NODE_COST + cost(node, m) + calledCost(node, costs);
    }
    costs.set(name, sum);
  }
  return costs;
}
