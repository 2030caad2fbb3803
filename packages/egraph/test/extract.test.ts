import { mulberry32, orThrow } from '@baton/base';
import {
  type CostFunction,
  depthCost,
  extractDag,
  extractExact,
  extractTree,
  printTerm,
  type ReadableNode,
  sizeCost,
  sumOf,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import { amount } from '../../../test/tier.ts';
import {
  bruteForce,
  type Classes,
  graphOf,
  node,
  parallelFamily,
  payloadCost,
  randomClasses,
} from './extract-graphs.ts';

const code = (result: { readonly _tag: string; readonly left?: unknown }): unknown =>
  result._tag === 'Left' ? (result.left as [{ code: string }])[0].code : 'success';

/** `(f x x)` or `(g y)`: by tree `g` is cheaper, by DAG `f` is. */
const sharing: Classes = [
  [node('f', 1, [1, 1]), node('g', 1, [2])],
  [node('x', 5)],
  [node('y', 7)],
];

describe('greedy extraction by tree', () => {
  it('counts a shared subterm at each use', () => {
    const { terms, costs } = orThrow(extractTree(graphOf(sharing), [0], sumOf(payloadCost)));
    expect(terms.map((t) => printTerm(t, (name) => name))).toEqual(['(g y)']);
    expect(costs).toEqual([8]);
  });

  it('knows size and depth', () => {
    const classes: Classes = [
      [node('long', 0, [1]), node('wide', 0, [3, 3, 3, 3])],
      [node('step', 0, [2])],
      [node('step', 0, [3])],
      [node('leaf', 0)],
    ];
    const text = (cost: CostFunction<number>): string[] =>
      orThrow(extractTree(graphOf(classes), [0], cost)).terms.map((t) => printTerm(t, (n) => n));
    expect(text(sizeCost)).toEqual(['(long (step (step leaf)))']);
    expect(text(depthCost)).toEqual(['(wide leaf leaf leaf leaf)']);
  });

  it('orders costs of any type', () => {
    const fewestDivisionsThenSize: CostFunction<readonly [number, number]> = {
      cost(it, childCost) {
        let divisions = it.name === '/' ? 1 : 0;
        let size = 1;
        it.children.forEach((_, index) => {
          const [childDivisions, childSize] = childCost(index);
          divisions += childDivisions;
          size += childSize;
        });
        return [divisions, size];
      },
      compare: (a, b) => a[0] - b[0] || a[1] - b[1],
    };
    const classes: Classes = [
      [node('/', 0, [1, 2]), node('*', 0, [1, 3])],
      [node('x', 0)],
      [node('2', 0)],
      [node('/', 0, [4, 2]), node('<<', 0, [4, 5])],
      [node('1', 0)],
      [node('neg', 0, [4])],
    ];
    const { terms, costs } = orThrow(extractTree(graphOf(classes), [0], fewestDivisionsThenSize));
    expect(terms.map((t) => printTerm(t, (n) => n))).toEqual(['(* x (<< 1 (neg 1)))']);
    expect(costs).toEqual([[0, 6]]);
  });

  it('does not choose a cycle that costs nothing', () => {
    const classes: Classes = [[node('a', 0, [1]), node('leaf', 0)], [node('b', 0, [0])]];
    const { terms } = orThrow(extractTree(graphOf(classes), [1], sumOf(payloadCost)));
    expect(terms.map((t) => printTerm(t, (n) => n))).toEqual(['(b leaf)']);
  });

  it('shares equal subterms as objects, also across roots', () => {
    const { terms } = orThrow(extractDag(graphOf(sharing), [0, 1], payloadCost));
    const [first, second] = terms;
    expect(first?.children).toEqual([second, second]);
    expect(first?.children[0]).toBe(second);
    expect(first?.children[1]).toBe(second);
  });

  it('extracts a term 20,000 deep', () => {
    const depth = 20_000;
    const classes = Array.from({ length: depth }, (_, i): ReadableNode[] =>
      i === 0 ? [node('leaf', 1)] : [node('step', 1, [i - 1])],
    );
    const roots = [depth - 1];
    expect(orThrow(extractTree(graphOf(classes), roots, depthCost)).costs).toEqual([depth]);
    expect(orThrow(extractDag(graphOf(classes), roots, payloadCost)).cost).toBe(depth);
  });
});

describe('extraction fails for', () => {
  const looped: Classes = [[node('f', 1, [0])], [node('leaf', Number.POSITIVE_INFINITY)]];

  it('a class whose terms would all be infinite', () => {
    expect(code(extractTree(graphOf(looped), [0], sizeCost))).toBe('EXTRACT_NO_TERM');
    expect(code(extractDag(graphOf(looped), [0], payloadCost))).toBe('EXTRACT_NO_TERM');
  });

  it('a class whose terms all cost infinitely much', () => {
    expect(code(extractTree(graphOf(looped), [1], sumOf(payloadCost)))).toBe('EXTRACT_NO_TERM');
    expect(code(extractDag(graphOf(looped), [1], payloadCost))).toBe('EXTRACT_NO_TERM');
    expect(code(extractExact(graphOf(looped), [1], payloadCost))).toBe('EXTRACT_NO_TERM');
  });

  it('a root that is no class', () => {
    expect(code(extractDag(graphOf(sharing), [9], payloadCost))).toBe('EXTRACT_UNKNOWN_ROOT');
  });

  it.each([
    ['a negative cost', -1],
    ['a cost that is not a number', Number.NaN],
  ])('%s', (_, cost) => {
    const classes: Classes = [[node('f', cost, [1])], [node('x', 1)]];
    expect(code(extractTree(graphOf(classes), [0], sumOf(payloadCost)))).toBe('EXTRACT_BAD_COST');
    expect(code(extractDag(graphOf(classes), [0], payloadCost))).toBe('EXTRACT_BAD_COST');
  });
});

const GRAPHS = amount(1_000, { quick: 250 });

describe('extraction by DAG', () => {
  it('counts a shared subterm once', () => {
    const { terms, cost } = orThrow(extractDag(graphOf(sharing), [0], payloadCost));
    expect(terms.map((t) => printTerm(t, (n) => n))).toEqual(['(f x x)']);
    expect(cost).toBe(6);
  });

  it('tells the users of a class of a better set that is found after theirs', () => {
    const classes: Classes = [
      [node('g', 1, [2, 2])],
      [node('alone', 9), node('f', 1, [0])],
      [node('x', 6)],
    ];
    const greedy = extractDag(graphOf(classes), [0, 1], payloadCost, { improveBudget: 0 });
    expect(orThrow(greedy).cost).toBe(8);
  });

  it('on random graphs: exact equals brute force, greedy DAG is at most greedy tree', () => {
    let solvable = 0;
    let greedyOptimal = 0;
    for (let seed = 0; solvable < GRAPHS; seed++) {
      const classes = randomClasses(mulberry32(seed));
      const roots = seed % 3 === 0 ? [0] : [0, 1];
      const best = bruteForce(classes, roots);
      const graph = graphOf(classes);
      const greedy = extractDag(graph, roots, payloadCost);
      if (best === Number.POSITIVE_INFINITY) {
        expect(code(greedy)).toBe('EXTRACT_NO_TERM');
        continue;
      }
      solvable += 1;
      const exact = orThrow(extractExact(graph, roots, payloadCost));
      expect([seed, exact.cost, exact.bound, exact.optimal]).toEqual([seed, best, best, true]);
      expect(dagCost(exact.terms)).toBe(best);
      const hasty = orThrow(extractExact(graph, roots, payloadCost, { searchBudget: seed % 500 }));
      expect(hasty.bound).toBeLessThanOrEqual(best);
      expect(hasty.cost).toBeLessThanOrEqual(orThrow(greedy).cost);
      const plain = orThrow(extractDag(graph, roots, payloadCost, { improveBudget: 0 }));
      const improved = orThrow(greedy);
      const tree = orThrow(extractTree(graph, roots, sumOf(payloadCost)));
      expect(plain.cost).toBeLessThanOrEqual(dagCost(tree.terms));
      expect(improved.cost).toBeLessThanOrEqual(plain.cost);
      expect(improved.cost).toBe(dagCost(improved.terms));
      expect(improved.cost).toBeGreaterThanOrEqual(best);
      if (improved.cost === best) greedyOptimal += 1;
    }
    expect(greedyOptimal).toBeGreaterThan(0.98 * GRAPHS);
  });

  it.each([2, 3, 5, 8])(
    'merges %i products of one input optimally, nested and with decoys, without a search',
    (productCount) => {
      let greedyFails = 0;
      for (let seed = 0; seed < 60; seed++) {
        const { classes, roots } = parallelFamily(
          mulberry32(seed * 10 + productCount),
          productCount,
        );
        const graph = graphOf(classes);
        const improved = orThrow(extractDag(graph, roots, payloadCost));
        const exact = orThrow(extractExact(graph, roots, payloadCost));
        expect([seed, improved.cost, exact.optimal]).toEqual([seed, exact.cost, true]);
        const plain = orThrow(extractDag(graph, roots, payloadCost, { improveBudget: 0 }));
        if (plain.cost > exact.cost) greedyFails += 1;
      }
      // Greedy extraction alone misses this family.
      expect(greedyFails).toBeGreaterThan(40);
    },
  );

  it('keeps to its budget and never returns more than it began with', () => {
    const { classes, roots } = parallelFamily(mulberry32(7), 8);
    const cost = (improveBudget: number): number =>
      orThrow(extractDag(graphOf(classes), roots, payloadCost, { improveBudget })).cost;
    const costs = [0, 1, 100, 1_000, 10_000, 1_000_000].map(cost);
    expect(costs).toEqual([...costs].sort((a, b) => b - a));
    expect(costs.at(-1)).toBeLessThan(costs[0] as number);
  });

  it('falls back to trees where its sets would grow too large', () => {
    const { terms, cost } = orThrow(
      extractDag(graphOf(sharing), [0], payloadCost, { maxSetEntries: 0, improveBudget: 0 }),
    );
    expect(terms.map((t) => printTerm(t, (n) => n))).toEqual(['(g y)']);
    expect(cost).toBe(8);
  });
});

/** The cost of terms whose payloads are costs; shared nodes count once. */
function dagCost(terms: ReadonlyArray<{ readonly payload: unknown; children: unknown }>): number {
  const seen = new Set<unknown>(terms);
  let total = 0;
  for (const it of seen) {
    const { payload, children } = it as { payload: number; children: ReadonlyArray<unknown> };
    total += payload;
    for (const child of children) seen.add(child);
  }
  return total;
}
