import { fail, InvariantError, type Result } from '@baton/base';
import { ok } from '../result.ts';
import { type Term, term } from '../term.ts';
import { type Choice, makeWalker } from './choice.ts';
import { type CostFunction, type NodeCost, sumOf } from './cost.ts';
import { greedyDag } from './dag.ts';
import { noTerm } from './diagnostics.ts';
import { childrenOf, type FlatGraph, flatten, nodeCosts } from './flat.ts';
import { improveJointly } from './improve.ts';
import { type GraphSource, type ReadableNode, readable } from './readable.ts';
import { cheapestTrees, type TreeChoice } from './tree.ts';

/** One term for each root; equal subterms are one object, also across roots. */
export interface TreeExtraction<C> {
  readonly terms: ReadonlyArray<Term>;
  /** The cost of each term. */
  readonly costs: ReadonlyArray<C>;
}

/** One term for each root, and what all of them together cost, shared nodes once. */
export interface DagExtraction {
  readonly terms: ReadonlyArray<Term>;
  readonly cost: number;
}

/** How much work {@link extractDag} does. */
export interface DagOptions {
  /** Edges that the joint improvement may look at; 0 leaves it out. Default 5 million. */
  readonly improveBudget?: number;
  /** Entries of the sets that the greedy pass keeps, 4 bytes each. Default 16 million. */
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
  const flat = flatten(readable(source), roots);
  if (flat._tag === 'Left') return flat;
  const graph = flat.right;
  const trees = cheapestFrom(graph, roots, cost);
  if (trees._tag === 'Left') return trees;
  const costs = graph.roots.map((root) => trees.right.costs[root] as C);
  return ok({ terms: termsOf(graph, trees.right.choice), costs });
}

/**
 * Cheap terms of the roots, shared subterms counted once: greedy, then improved jointly. Never
 * dearer than the terms of {@link extractTree}; not always the cheapest, which `extractExact` finds.
 *
 * **Errors** `EXTRACT_UNKNOWN_ROOT`, `EXTRACT_NO_TERM`, `EXTRACT_BAD_COST`.
 */
export function extractDag(
  source: GraphSource,
  roots: ReadonlyArray<number>,
  cost: NodeCost,
  options: DagOptions = {},
): Result<DagExtraction> {
  const prepared = prepareDag(source, roots, cost, options);
  if (prepared._tag === 'Left') return prepared;
  const { graph, costs, choice } = prepared.right;
  return ok(readOut(graph, costs, choice));
}

/** A graph with what each node costs, the choice found for it, and the choice by tree cost. */
export interface Prepared {
  readonly graph: FlatGraph;
  readonly costs: Float64Array;
  readonly choice: Choice;
  readonly treeChoice: Choice;
}

/** All of {@link extractDag} but the terms. */
export function prepareDag(
  source: GraphSource,
  roots: ReadonlyArray<number>,
  cost: NodeCost,
  options: DagOptions,
): Result<Prepared> {
  const flat = flatten(readable(source), roots);
  if (flat._tag === 'Left') return flat;
  const graph = flat.right;
  const priced = nodeCosts(graph, cost);
  if (priced._tag === 'Left') return priced;
  const costs = priced.right;
  const trees = cheapestFrom(graph, roots, sumOf(cost));
  if (trees._tag === 'Left') return trees;
  const treeChoice = trees.right.choice;
  const dag = greedyDag(graph, costs, options.maxSetEntries ?? 16_000_000);
  for (let c = 0; c < graph.classCount; c++) {
    if ((dag[c] as number) < 0) dag[c] = treeChoice[c] as number;
  }
  const walker = makeWalker(graph, costs);
  const start = walker.cost(dag) < walker.cost(treeChoice) ? dag : treeChoice;
  const budget = options.improveBudget ?? 5_000_000;
  const choice = budget > 0 ? improveJointly(graph, costs, start, budget) : start;
  return ok({ graph, costs, choice, treeChoice });
}

/** The terms and the cost of a choice that is acyclic and complete from the roots. */
export function readOut(graph: FlatGraph, costs: Float64Array, choice: Choice): DagExtraction {
  return { terms: termsOf(graph, choice), cost: makeWalker(graph, costs).cost(choice) };
}

function cheapestFrom<C>(
  graph: FlatGraph,
  roots: ReadonlyArray<number>,
  cost: CostFunction<C>,
): Result<TreeChoice<C>> {
  const trees = cheapestTrees(graph, cost);
  if (trees._tag === 'Left') return trees;
  const missing = graph.roots.findIndex((root) => (trees.right.choice[root] as number) < 0);
  return missing < 0 ? trees : fail(noTerm(roots[missing] as number));
}

function termsOf(graph: FlatGraph, choice: Choice): ReadonlyArray<Term> {
  const order = makeWalker(graph, new Float64Array(graph.nodeCount)).order(choice);
  if (order === undefined) throw new InvariantError('an extracted choice is acyclic and complete');
  const built = new Map<number, Term>();
  for (const eclass of order) {
    const at = choice[eclass] as number;
    const node = graph.nodes[at] as ReadableNode;
    const children = Array.from(childrenOf(graph, at), (below) => built.get(below) as Term);
    built.set(eclass, term(node.name, children, node.payload));
  }
  return graph.roots.map((root) => built.get(root) as Term);
}
