/** The nodes chosen for a block: those of the function itself, or cheaper ones of its e-graph. */

import { foldDag, isLeft, postOrder, remember } from '@baton/base';
import {
  type ClassId,
  extractDag,
  extractExact,
  type NodeId,
  type ReadableNode,
  type Term,
} from '@baton/egraph';
import type { Expr, IRModule } from '@baton/ir';
import { costOfChoice, type Option, optionsOf } from './bias-epilogues.ts';
import type { Block } from './blocks.ts';
import type { Costs } from './costs.ts';
import { type Chosen, isEverywhere, OPAQUE, type OpaqueNode } from './language.ts';
import type { Region } from './region.ts';

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

/** The programs of a region between which the choice is. */
export interface Found {
  /** The function's own nodes. */
  readonly own: Chosen;
  /** The cheapest ones that were found, and their nodes of the e-graph. */
  readonly cheapest: Chosen | undefined;
  readonly nodes: ReadonlySet<NodeId>;
}

/** The most edges that the joint improvement of a region looks at. */
const IMPROVE_BUDGET = 500_000;

/** Those after which it ends with its first way through, which finds all gains in large regions. */
const IMPROVE_LEAST = 20_000;

/** Saved costs below this are rounding. */
const LEAST_GAIN = 1e-9;

/** The ways to take a program out: by a heuristic, or by a search that also proves a bound. */
export const EXTRACTORS = { greedy: extractDag, exact: extractExact } as const;

/**
 * The cheapest choice that is found for a block; the function's own if none is cheaper. `tell` is told
 * both.
 */
export function choose(
  block: Block,
  region: Region,
  m: IRModule,
  costs: Costs,
  extract: keyof typeof EXTRACTORS,
  tell?: (found: Found) => void,
): BlockChoice {
  const own = ownChoice(block, region);
  const before = costOfChoice(own, m, costs);
  const { graph } = region;
  // Where no class has a second node there is nothing to improve.
  const improveBudget = graph.nodeCount > graph.classCount ? IMPROVE_BUDGET : 0;
  const options = { improveBudget, improveLeast: IMPROVE_LEAST };
  const costOf = ({ payload }: ReadableNode): number => (payload as Option).cost;
  const root = region.classOf(block.result);
  const found = EXTRACTORS[extract](optionsOf(region, m, costs), [root], costOf, options);
  const [term] = isLeft(found) ? [] : found.right.terms;
  const nodes = new Map<NodeId, Chosen>();
  const made = term && withOrigins(term, region, nodes);
  tell?.({ own, cheapest: made, nodes: new Set(nodes.keys()) });
  const cost = made === undefined ? before : costOfChoice(made, m, costs);
  const isCheaper = made !== undefined && cost < before - LEAST_GAIN;
  return isCheaper ? choiceOf(made, true, cost) : choiceOf(own, false, before);
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

/** The nodes of an extracted term, with the expressions of the function that they are; `made` has all. */
function withOrigins(root: Term, region: Region, made: Map<NodeId, Chosen>): Chosen {
  const { graph } = region;
  const origins = region.origins();
  const classes = new Map<Chosen, ClassId>();
  const chosen = (node: NodeId, children: ReadonlyArray<Chosen>): Chosen =>
    remember(made, node, () => {
      const operator = graph.operatorOf(node);
      const { name, payload } = operator;
      const ids = children.map((child) => classes.get(child) as ClassId);
      const id = graph.classOf(node);
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
      const result: Chosen = { name, payload, children, origin, span };
      classes.set(result, id);
      return result;
    });
  return foldDag<Term, Chosen>(
    (t) => t.children,
    ({ payload, children: below }, get) => {
      const { node, product } = payload as Option;
      const children = below.map(get);
      if (product === undefined) return chosen(node, children);
      const arity = graph.childrenOf(product).length;
      const inner = chosen(product, children.slice(0, arity));
      const at = graph.childrenOf(node).indexOf(graph.classOf(product));
      return chosen(node, children.slice(arity).toSpliced(at, 0, inner));
    },
  )(root);
}
