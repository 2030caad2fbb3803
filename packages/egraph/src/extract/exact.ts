/** Exact extraction, by branch and bound. */
import { isLeft, ok, type Result } from '@baton/base';
import { makeWalker } from './choice.ts';
import type { NodeCost } from './cost.ts';
import { partsOf } from './exact/parts.ts';
import { choose, type Problem, problemOf } from './exact/problem.ts';
import { type Outcome, ROUNDING, search } from './exact/search.ts';
import { simplify } from './exact/simplify.ts';
import { type DagExtraction, type DagOptions, prepareDag, readOut } from './extract.ts';
import type { GraphSource } from './readable.ts';

export interface ExactOptions extends DagOptions {
  /** The most visits of nodes and children by the search; 0 leaves it out. Default 20 million. */
  readonly searchBudget?: number;
}

/** A DAG, and how far it may be from the cheapest. */
export interface ExactExtraction extends DagExtraction {
  /** A proved lower bound: no DAG costs less. */
  readonly bound: number;
  /** Whether the bound is the cost: the DAG is the cheapest. */
  readonly optimal: boolean;
}

/**
 * The cheapest terms of the roots, shared subterms counted once; with a lower bound, if the budget
 * is spent before the cheapest is known. Never dearer than the terms of `extractDag`.
 *
 * **Errors** those of `extractDag`.
 *
 * **Complexity** exponential at worst, within the budget.
 */
export function extractExact(
  source: GraphSource,
  roots: ReadonlyArray<number>,
  cost: NodeCost,
  options: ExactOptions = {},
): Result<ExactExtraction> {
  const prepared = prepareDag(source, roots, cost, options);
  if (isLeft(prepared)) return prepared;
  const { graph, choice: greedy, trees } = prepared.right;
  const problem = problemOf(graph);
  simplify(problem);
  const outcomes = searchParts(problem, options, options.searchBudget ?? 20_000_000);
  const exact = trees.slice();
  choose(exact, problem.settled);
  for (const outcome of outcomes) choose(exact, outcome.options);
  const walker = makeWalker(graph);
  const isBetter = walker.cost(exact) < walker.cost(greedy);
  const dag = readOut(graph, isBetter ? exact : greedy);
  // Sums in another order differ in the last bits: the bound leaves room for that.
  const sum = outcomes.reduce((total, { bound }) => total + bound, problem.base);
  const proved = sum * (1 - ROUNDING);
  const optimal = sum >= dag.cost * (1 - ROUNDING);
  return ok({ ...dag, bound: optimal ? dag.cost : proved, optimal });
}

/** The outcome of each part; what the small ones leave of the budget goes to the large ones. */
function searchParts(
  problem: Problem,
  options: DagOptions,
  budget: number,
): ReadonlyArray<Outcome> {
  const parts = partsOf(problem).toSorted((a, b) => a.classes.length - b.classes.length);
  let left = budget;
  return parts.map((part, i) => {
    const outcome = search(part, options, left / (parts.length - i));
    left -= outcome.work;
    return outcome;
  });
}
