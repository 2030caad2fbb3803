/** The nodes chosen for a block: those of the function itself, or cheaper ones of its e-graph. */

import { foldDag, isLeft, postOrder } from '@baton/base';
import {
  type ClassId,
  extractDag,
  extractExact,
  type ReadableNode,
  type Term,
} from '@baton/egraph';
import type { Expr, IRModule } from '@baton/ir';
import type { Block } from './blocks.ts';
import type { Costs } from './costs.ts';
import { type Chosen, isEverywhere, OPAQUE, type OpaqueNode } from './language.ts';
import { exprOf, type Region } from './region.ts';

/** What to compute in a block. */
export interface BlockChoice {
  readonly root: Chosen;
  /** Whether it is cheaper than what the function computes. */
  readonly isCheaper: boolean;
  /** Its cost, with the costs of the blocks inside. */
  readonly cost: number;
  /** The expressions that outer blocks compute for it, but for variables and constants. */
  readonly outers: ReadonlyArray<Expr>;
}

/** The most edges that the joint improvement of a region looks at. */
const IMPROVE_BUDGET = 500_000;

/** Saved costs below this are rounding. */
const LEAST_GAIN = 1e-9;

/** The ways to take a program out: by a heuristic, or by a search that also proves a bound. */
export const EXTRACTORS = { greedy: extractDag, exact: extractExact } as const;

/** The cheapest choice that is found for a block; the function's own if none is cheaper. */
export function choose(
  block: Block,
  region: Region,
  m: IRModule,
  costs: Costs,
  extract: keyof typeof EXTRACTORS,
): BlockChoice {
  const before = block.nodes.reduce((sum, expr) => sum + costs.ofExpr(expr), 0);
  const own = (): BlockChoice => choiceOf(ownChoice(block, region), false, before);
  const root = region.classOf(block.result);
  const costOf = nodeCost(region, m, costs);
  const { graph } = region;
  // Where no class has a second node there is nothing to improve.
  const options = { improveBudget: graph.nodeCount > graph.classCount ? IMPROVE_BUDGET : 0 };
  const found = EXTRACTORS[extract](graph, [root], costOf, options);
  if (isLeft(found)) return own();
  const { terms, cost } = found.right;
  const [term] = terms;
  if (term === undefined || !(cost < before - LEAST_GAIN)) return own();
  return choiceOf(withOrigins(term, region), true, cost);
}

function choiceOf(root: Chosen, isCheaper: boolean, cost: number): BlockChoice {
  const outers = new Set<Expr>();
  for (const { name, payload } of postOrder<Chosen>((chosen) => chosen.children, [root])) {
    if (name !== OPAQUE) continue;
    const { expr, isOuter } = payload as OpaqueNode;
    if (isOuter && !isEverywhere(expr)) outers.add(expr);
  }
  return { root, isCheaper, cost, outers: [...outers] };
}

function nodeCost(region: Region, m: IRModule, { ofNode, ofExpr }: Costs) {
  return ({ name, payload, children }: ReadableNode): number => {
    if (name === OPAQUE) {
      const { expr, isOuter } = payload as OpaqueNode;
      return isOuter ? 0 : ofExpr(expr);
    }
    const terms = children.map((id) => region.graph.data(id as ClassId).term);
    return ofNode(exprOf(name, payload, terms, m));
  };
}

/** The function's own nodes. */
const ownChoice = ({ result }: Block, region: Region): Chosen =>
  foldDag<Expr, Chosen>(
    (expr) => region.partsIn(expr),
    (expr, get) => ({
      ...region.headIn(expr),
      children: region.partsIn(expr).map(get),
      origin: expr,
      span: expr.span,
    }),
  )(result);

/** The nodes of an extracted term, with the expressions of the function that they are. */
function withOrigins(root: Term, region: Region): Chosen {
  const { graph } = region;
  const origins = region.origins();
  const classes = new Map<Chosen, ClassId | undefined>();
  return foldDag<Term, Chosen>(
    (t) => t.children,
    ({ name, payload, children: below }, get) => {
      const children = below.map(get);
      const ids = children.map((child) => classes.get(child) as ClassId);
      const id = graph.lookup(name, ids, payload) as ClassId;
      const operator = graph.findOperator(name, ids.length, payload);
      const isOrigin = (expr: Expr): boolean => {
        const head = region.headIn(expr);
        const parts = region.partsIn(expr);
        return (
          graph.findOperator(head.name, parts.length, head.payload) === operator &&
          parts.every((part, i) => region.classOf(part) === ids[i])
        );
      };
      const origin = origins.get(id)?.find(isOrigin);
      const { span } = origin ?? graph.data(id).term;
      const made: Chosen = { name, payload, children, origin, span };
      classes.set(made, id);
      return made;
    },
  )(root);
}
