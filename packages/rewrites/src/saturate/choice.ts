/** The nodes chosen for a region: those of the function itself, or cheaper ones of its e-graph. */

import { foldDag, isLeft, type Span } from '@baton/base';
import { type ClassId, extractDag, type ReadableNode, type Term } from '@baton/egraph';
import type { Expr, IRModule } from '@baton/ir';
import type { NodeCost } from '../cost.ts';
import { OPAQUE, type OpaqueNode } from './language.ts';
import { exprOf } from './region.ts';
import type { Placed, Regions } from './regions.ts';

/** A chosen node. Equal nodes are one object. */
export interface Chosen {
  readonly name: string;
  readonly payload: unknown;
  readonly children: ReadonlyArray<Chosen>;
  /** The expression of the function that it is, if its children are. */
  readonly origin: Expr | undefined;
  /** The place of what it replaces. */
  readonly span: Span | undefined;
}

/** What to compute in a region, and whether it is cheaper than what the function computes. */
export interface RegionChoice {
  readonly root: Chosen;
  readonly isCheaper: boolean;
}

/** The most edges that the joint improvement of a region looks at. */
const IMPROVE_BUDGET = 200_000;

/** Saved costs below this are rounding. */
const LEAST_GAIN = 1e-9;

/** The cheapest choice that is found for a region; the function's own if none is cheaper. */
export function choose(
  placed: Placed,
  regions: Regions,
  m: IRModule,
  cost: NodeCost,
): RegionChoice {
  const own: RegionChoice = { root: ownChoice(placed), isCheaper: false };
  const { graph } = placed.region;
  const root = placed.region.classOf(placed.result);
  const costOf = nodeCost(placed, regions, m, cost);
  const found = extractDag(graph, [root], costOf, { improveBudget: IMPROVE_BUDGET });
  if (isLeft(found)) return own;
  const before = placed.nodes.reduce((sum, expr) => sum + exprCost(expr, regions, m, cost), 0);
  const [term] = found.right.terms;
  if (term === undefined || !(found.right.cost < before - LEAST_GAIN)) return own;
  return { root: withOrigins(term, placed), isCheaper: true };
}

/** The cost of an expression; one that opens scopes costs what is evaluated in them, too. */
function exprCost(expr: Expr, regions: Regions, m: IRModule, cost: NodeCost): number {
  const inside = regions.openedBy(expr).flatMap(({ nodes }) => nodes);
  return inside.reduce((sum, node) => sum + cost(node, m), cost(expr, m));
}

function nodeCost({ region }: Placed, regions: Regions, m: IRModule, cost: NodeCost) {
  return ({ name, payload, children }: ReadableNode): number => {
    if (name === OPAQUE) {
      const { expr, isOuter } = payload as OpaqueNode;
      return isOuter ? 0 : exprCost(expr, regions, m, cost);
    }
    const terms = children.map((id) => region.graph.data(id as ClassId).term);
    return cost(exprOf(name, payload, terms, m), m);
  };
}

/** The function's own nodes. */
const ownChoice = ({ region, result }: Placed): Chosen =>
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
function withOrigins(root: Term, { region }: Placed): Chosen {
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
