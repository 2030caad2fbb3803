/** Extraction by tree cost. */
import { type Diagnostic, fail, ok, type Result } from '@baton/base';
import { badCost } from '../diagnostics.ts';
import { climb } from './climb.ts';
import type { CostFunction } from './cost.ts';
import type { Choice, FlatGraph } from './flat.ts';

/** The cheapest term of every class by tree cost. */
export interface TreeChoice<C> {
  readonly choice: Choice;
  /** The cost of every class, `undefined` where no term exists. */
  readonly costs: ReadonlyArray<C | undefined>;
}

/**
 * The cheapest node of every class, shared nodes counted at each use: a fixpoint over the parents
 * of improved classes. Only a strictly cheaper node replaces another, so no cycle is chosen.
 *
 * **Errors** `EXTRACT_BAD_COST` for a cost below a child's, or one that is not a number.
 *
 * **Complexity** each edge once, and again each time that its child becomes cheaper.
 */
export function cheapestTrees<C>(
  graph: FlatGraph,
  { cost, compare }: CostFunction<C>,
): Result<TreeChoice<C>> {
  const choice: Choice = graph.classes.map(() => undefined);
  const costs: (C | undefined)[] = [...choice] as undefined[];
  let wrong: Diagnostic | undefined;
  climb(graph, (node) => {
    const { source, home, children } = node;
    if (wrong || children.some((c) => costs[c] === undefined)) return false;
    const value = cost(source, (i) => costs[children[i] as number] as C);
    if (children.some((c) => compare(value, costs[c] as C) < 0)) {
      wrong = badCost(source.name, value, 'no less than the cost of a child');
    }
    if (Number.isNaN(value)) wrong = badCost(source.name, value, 'a number');
    const known = costs[home];
    if (wrong || value === Infinity) return false;
    if (known !== undefined && compare(value, known) >= 0) return false;
    costs[home] = value;
    choice[home] = node;
    return true;
  });
  return wrong ? fail(wrong) : ok({ choice, costs });
}

/** The cheapest node of every class by sum; `fixed` classes keep their node and cost nothing. */
export function cheapestAround(
  graph: FlatGraph,
  current: Choice,
  isFixed: (eclass: number) => boolean,
): { readonly choice: Choice; readonly costs: ReadonlyArray<number> } {
  const choice = graph.classes.map((_, c) => (isFixed(c) ? current[c] : undefined));
  const costs = choice.map((node) => (node ? 0 : Infinity));
  climb(graph, (node) => {
    const { home, children } = node;
    const sum = children.reduce((total, c) => total + (costs[c] as number), node.cost);
    if (isFixed(home) || !(sum < (costs[home] as number))) return false;
    costs[home] = sum;
    choice[home] = node;
    return true;
  });
  return { choice, costs };
}
