/** Branch and bound. */
import { makeWalker } from '../choice.ts';
import { cheapDag, type DagOptions } from '../extract.ts';
import { cheapestAround } from '../tree.ts';
import { findPrices, type Prices } from './prices.ts';
import { copyOf, graphOf, type Option, type Problem } from './problem.ts';
import { simplify } from './simplify.ts';

export interface Outcome {
  /** No choice costs less. */
  readonly bound: number;
  /** The cost of the cheapest choice found, and its options. */
  readonly cost: number;
  readonly options: ReadonlyArray<Option>;
  /** The part of the budget that was used. */
  readonly work: number;
}

/** Costs that differ by less, relatively, differ by rounding. */
export const ROUNDING = 1e-9;

const ROUNDS = { whole: 1_000, branch: 100 };

/** The cost in budget of simplifying an option or a child. */
const SIMPLIFYING = 100;

/** A problem with some options taken and others left out, and a bound for it. */
interface Branch {
  readonly problem: Problem;
  readonly bound: number;
}

/**
 * The cheapest choice of a problem. Of the open branches the one with the lowest bound is priced;
 * options that would cost more than the best choice leave it, and it is simplified; then one root
 * takes its most promising option in one new branch, and loses it in another. When `budget`, in
 * visits of options and children, is spent, the lowest bound of the open branches remains.
 */
export function search(start: Problem, options: DagOptions, budget: number): Outcome {
  let best = cheapChoice(start, options);
  const open: Branch[] = [{ problem: start, bound: 0 }];
  const lowest = (): number => open.reduce((low, { bound }) => Math.min(low, bound), best.cost);
  const isOpen = (bound: number): boolean => bound < best.cost * (1 - ROUNDING);
  let work = 0;
  while (work < budget && isOpen(lowest())) {
    const low = lowest();
    const at = open.findIndex(({ bound }) => bound === low);
    const [{ problem, bound: known }] = open.splice(at, 1) as [Branch];
    const rounds = work === 0 ? ROUNDS.whole : ROUNDS.branch;
    work += sizeOf(problem) * (rounds + SIMPLIFYING);
    const prices = findPrices(problem, best.cost - problem.base, rounds);
    const bound = Math.max(known, problem.base + prices.bound);
    if (!isOpen(bound)) continue;
    const fixed = fix(problem, prices, best.cost);
    const found = cheapChoice(fixed, { ...options, improveBudget: 0 });
    if (found.cost < best.cost) best = found;
    if (!isOpen(Math.max(bound, fixed.base))) continue;
    for (const next of branches(fixed, prices)) {
      simplify(next);
      open.push({ problem: next, bound: Math.max(bound, next.base) });
    }
  }
  return { ...best, bound: lowest(), work };
}

/** A cheap choice, with what is settled. */
function cheapChoice(problem: Problem, options: DagOptions): Pick<Outcome, 'cost' | 'options'> {
  const { settled, base } = problem;
  const graph = graphOf(problem);
  const trees = cheapestAround(graph, [], () => false).choice;
  if (graph.roots.some((root) => !trees[root])) return { cost: Infinity, options: [] };
  const choice = cheapDag(graph, trees, options);
  const walker = makeWalker(graph);
  const cost = base + walker.cost(choice);
  return { cost, options: [...settled, ...walker.order.map((c) => choice[c] as Option)] };
}

/** A copy without the options with which every choice costs as much as `cost`. */
function fix(problem: Problem, { bound, excess }: Prices, cost: number): Problem {
  const copy = copyOf(problem);
  const spare = cost * (1 - ROUNDING) - problem.base - bound;
  copy.classes.forEach((options, c) => {
    copy.classes[c] = options.filter((option) => (excess.get(option) as number) < spare);
  });
  return copy;
}

/** Two problems: a root takes the option with the least excess, or loses it. */
function branches(problem: Problem, { excess }: Prices): ReadonlyArray<Problem> {
  const of = (option: Option): number => excess.get(option) as number;
  let decided: ReadonlyArray<Option> = [];
  let largest = -1;
  for (const root of problem.roots) {
    const options = (problem.classes[root] as Option[]).toSorted((a, b) => of(a) - of(b));
    const [first, second] = options;
    if (!first) return [];
    const gap = second ? of(second) - of(first) : Infinity;
    if (gap <= largest) continue;
    largest = gap;
    decided = options;
  }
  const [first, ...others] = decided;
  if (!first) return [];
  return [[first], others].map((options) => {
    const branch = copyOf(problem);
    branch.classes[first.home] = options;
    return branch;
  });
}

const sizeOf = ({ classes }: Problem): number =>
  classes.reduce(
    (sum, options) => options.reduce((s, { children }) => s + 1 + children.length, sum),
    0,
  );
