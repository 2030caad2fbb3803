/** Extraction of terms from an e-graph. */
import { andThen, fail, invariant, isLeft, ok, type Result } from '@baton/base';
import { noTerm } from '../diagnostics.ts';
import { type Term, term } from '../term.ts';
import { makeWalker } from './choice.ts';
import type { CostFunction, NodeCost } from './cost.ts';
import { greedyDag } from './dag.ts';
import { type Choice, type FlatGraph, type FlatNode, flatten } from './flat.ts';
import { improveJointly } from './improve.ts';
import type { GraphSource } from './readable.ts';
import { cheapestAround, cheapestTrees } from './tree.ts';

/** One term for each root; equal subterms are one object, also across roots. */
export interface TreeExtraction<C> {
  readonly terms: ReadonlyArray<Term>;
  readonly costs: ReadonlyArray<C>;
}

/** One term for each root, and the cost of all together, shared nodes once. */
export interface DagExtraction {
  readonly terms: ReadonlyArray<Term>;
  readonly cost: number;
}

export interface DagOptions {
  /** The most edges that the joint improvement looks at; 0 leaves it out. Default 5 million. */
  readonly improveBudget?: number;
  /** Those of them after which it ends if it has looked at all nodes within reach. Default: all. */
  readonly improveLeast?: number;
  /** The most entries in the sets of the greedy pass, 8 bytes each. Default 16 million. */
  readonly maxSetEntries?: number;
}

/**
 * The cheapest term of each root, shared subterms counted at each use.
 *
 * **Errors** `EXTRACT_UNKNOWN_ROOT`, `EXTRACT_NO_TERM`, `EXTRACT_BAD_COST`.
 */
export function extractTree<C>(
  source: GraphSource,
  roots: ReadonlyArray<number>,
  cost: CostFunction<C>,
): Result<TreeExtraction<C>> {
  return andThen(
    flatten(source, roots, () => 0),
    (graph) =>
      andThen(
        cheapestTrees(graph, cost),
        ({ choice, costs }) =>
          withoutTerm(graph, roots, choice) ??
          ok({
            terms: readOut(graph, choice).terms,
            costs: graph.roots.map((root) => costs[root] as C),
          }),
      ),
  );
}

/**
 * Cheap terms of the roots, shared subterms counted once: greedy, then improved jointly. Never
 * dearer than the terms of {@link extractTree}; `extractExact` finds the cheapest.
 *
 * **Errors** `EXTRACT_UNKNOWN_ROOT`, `EXTRACT_NO_TERM`, `EXTRACT_BAD_COST`.
 */
export function extractDag(
  source: GraphSource,
  roots: ReadonlyArray<number>,
  cost: NodeCost,
  options: DagOptions = {},
): Result<DagExtraction> {
  return andThen(prepareDag(source, roots, cost, options), ({ graph, choice }) =>
    ok(readOut(graph, choice)),
  );
}

export interface Prepared {
  readonly graph: FlatGraph;
  readonly choice: Choice;
  readonly trees: Choice;
}

/** {@link extractDag} without the terms. */
export function prepareDag(
  source: GraphSource,
  roots: ReadonlyArray<number>,
  cost: NodeCost,
  options: DagOptions,
): Result<Prepared> {
  const flat = flatten(source, roots, cost);
  if (isLeft(flat)) return flat;
  const graph = flat.right;
  const trees = cheapestAround(graph, [], () => false).choice;
  const refused = withoutTerm(graph, roots, trees);
  return refused ?? ok({ graph, choice: cheapDag(graph, trees, options), trees });
}

/** A cheap choice for a graph, given its choice by tree cost. */
export function cheapDag(
  graph: FlatGraph,
  trees: Choice,
  {
    improveBudget = 5_000_000,
    improveLeast = improveBudget,
    maxSetEntries = 16_000_000,
  }: DagOptions,
): Choice {
  const dag = greedyDag(graph, trees, maxSetEntries);
  const walker = makeWalker(graph);
  const start = walker.cost(dag) < walker.cost(trees) ? dag : trees;
  return improveBudget > 0 ? improveJointly(graph, start, improveBudget, improveLeast) : start;
}

/** The terms and the cost of a choice that is acyclic and complete from the roots. */
export function readOut(graph: FlatGraph, choice: Choice): DagExtraction {
  const walker = makeWalker(graph);
  const cost = walker.cost(choice);
  invariant(cost !== Infinity, 'an extracted choice is acyclic and complete');
  const built = new Map<number, Term>();
  const of = (eclass: number): Term => built.get(eclass) as Term;
  for (const eclass of walker.order) {
    const { source, children } = choice[eclass] as FlatNode;
    built.set(eclass, term(source.name, children.map(of), source.payload));
  }
  return { terms: graph.roots.map(of), cost };
}

function withoutTerm(
  graph: FlatGraph,
  roots: ReadonlyArray<number>,
  choice: Choice,
): Result<never> | undefined {
  const missing = roots.find((_, i) => !choice[graph.roots[i] as number]);
  return missing === undefined ? undefined : fail(noTerm(missing));
}
