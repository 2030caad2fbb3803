/** The costs of expressions of a function, and of the functions that it calls. */
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
  cost: NodeCost,
  m: IRModule,
): Costs {
  const callees = namedGlobals(f).size === 0 ? new Map<string, number>() : bodyCosts(m, cost);
  const ofNode = (node: Expr): number => {
    if (isEverywhere(node) || isCompileTime(m, node)) return 0;
    return NODE_COST + cost(node, m) + (callees.get(calleeOf(node)) ?? 0);
  };
  const ofExpr = (expr: Expr): number =>
    blocks.openedBy(expr).reduce((sum, block) => sum + choiceOf(block).cost, ofNode(expr));
  return { ofNode, ofExpr };
}

/** The name of the global function that a node calls. */
const calleeOf = (node: Expr): string =>
  node._tag === 'Call' && node.op._tag === 'GlobalVar' ? node.op.nameHint : '';

/** The cost of each function's body, with those that it calls; a recursive call is free. */
function bodyCosts(m: IRModule, cost: NodeCost): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const name of callGraph(m.functions).groups.flat()) {
    const f = m.functions.get(name);
    if (f === undefined) continue;
    let sum = 0;
    for (const node of visibleIn(f.body, m).order) {
      sum += NODE_COST + cost(node, m) + (costs.get(calleeOf(node)) ?? 0);
    }
    costs.set(name, sum);
  }
  return costs;
}
