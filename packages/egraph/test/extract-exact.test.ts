/** Exact extraction, and budgets. */
import { mulberry32, orThrow } from '@baton/base';
import {
  extractDag,
  extractExact,
  extractTree,
  printTerm,
  type ReadableNode,
  sizeCost,
  sumOf,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import { type Classes, graphOf, node, parallelFamily, payloadCost } from './extract-graphs.ts';

/** `(f x x)` or `(g y)`: by tree `g` is cheaper, by DAG `f` is. */
const sharing: Classes = [
  [node('f', 1, [1, 1]), node('g', 1, [2])],
  [node('x', 5)],
  [node('y', 7)],
];

const exactly = (classes: Classes, roots: ReadonlyArray<number>, options = {}) =>
  orThrow(extractExact(graphOf(classes), roots, payloadCost, options));

const texts = (terms: ReadonlyArray<Parameters<typeof printTerm>[0]>): ReadonlyArray<string> =>
  terms.map((it) => printTerm(it, (n) => n));

describe('exact extraction', () => {
  it('finds what is shared, and proves it', () => {
    const { terms, cost, bound, optimal } = exactly(sharing, [0]);
    expect([texts(terms), cost, bound, optimal]).toEqual([['(f x x)'], 6, 6, true]);
  });

  it('gives each root its own term, in their order, and nothing for nothing', () => {
    expect(texts(exactly(sharing, [2, 1, 2]).terms)).toEqual(['y', 'x', 'y']);
    expect(exactly(sharing, [])).toEqual({ terms: [], cost: 0, bound: 0, optimal: true });
  });

  it('takes what costs nothing', () => {
    const free: Classes = [[node('g', 1), node('f', 0, [1])], [node('x', 0)]];
    const { terms, bound, optimal } = exactly(free, [0]);
    expect([texts(terms), bound, optimal]).toEqual([['(f x)'], 0, true]);
  });

  it('sees a cycle through a class that is needed anyway', () => {
    // The root needs 1, which needs 2; that 2 could be read off 1 does not make it free.
    const classes: Classes = [
      [node('top', 1, [1, 3])],
      [node('f', 1, [2])],
      [node('part', 0, [1]), node('x', 5), node('y', 7)],
      [node('g', 1, [2, 1])],
    ];
    const { terms, cost, optimal } = exactly(classes, [0]);
    expect([texts(terms), cost, optimal]).toEqual([['(top (f x) (g x (f x)))'], 8, true]);
  });

  it('does not go around a class by what needs it', () => {
    // 1 by way of 2 costs nothing more only as long as 2 does not come from 1.
    const classes: Classes = [
      [node('top', 0, [1, 2])],
      [node('a', 4), node('split', 0, [2])],
      [node('b', 4), node('split', 0, [1]), node('both', 6, [3])],
      [node('z', 1)],
    ];
    expect(exactly(classes, [0])).toMatchObject({ cost: 4, bound: 4, optimal: true });
  });

  it('keeps a class that several options share, and one that pays only together', () => {
    const merged: Classes = [
      [node('u', 1, [2]), node('p', 0, [4])],
      [node('v', 1, [3]), node('q', 0, [4])],
      [node('a', 5)],
      [node('b', 5)],
      [node('ab', 8)],
    ];
    const { terms, cost, optimal } = exactly(merged, [0, 1], { improveBudget: 0 });
    expect([texts(terms), cost, optimal]).toEqual([['(p ab)', '(q ab)'], 8, true]);
  });

  it('has a bound below the best and a cost not above the greedy one, whatever the budget', () => {
    for (let seed = 0; seed < 12; seed++) {
      const { classes, roots } = parallelFamily(mulberry32(seed), 6);
      const best = exactly(classes, roots).cost;
      const greedy = orThrow(
        extractDag(graphOf(classes), roots, payloadCost, { improveBudget: 0 }),
      );
      let bound = 0;
      for (const searchBudget of [0, 1, 100_000, 1_000_000]) {
        const found = exactly(classes, roots, { improveBudget: 0, searchBudget });
        expect(found.bound).toBeLessThanOrEqual(best);
        expect(found.cost).toBeGreaterThanOrEqual(best);
        expect(found.cost).toBeLessThanOrEqual(greedy.cost);
        expect(found.bound).toBeGreaterThanOrEqual(bound);
        expect(found.optimal).toBe(found.bound === found.cost);
        bound = found.bound;
      }
    }
  });

  it('extracts a term 8,000 deep, with a choice at each step', () => {
    const depth = 8_000;
    const classes = Array.from({ length: depth }, (_, i) =>
      i === 0
        ? [node('leaf', 1)]
        : [node('step', 1, [i - 1]), node('leap', 2, [i - 1, Math.max(0, i - 2)])],
    );
    const { cost, optimal } = exactly(classes, [depth - 1], { improveBudget: 0 });
    expect([cost, optimal]).toEqual([depth, true]);
  });
});

describe('the budget of joint improvement', () => {
  // A budget counts edges, so the results are the same on every machine.
  it.each<[seed: number, products: number, before: number, ReadonlyArray<[number, number]>]>([
    [
      3,
      5,
      96,
      [
        [47, 79],
        [198, 56],
      ],
    ],
    [
      11,
      6,
      142,
      [
        [1660, 95],
        [2253, 93],
      ],
    ],
    [5, 3, 79, [[237, 59]]],
    [
      23,
      7,
      108,
      [
        [1952, 106],
        [2037, 99],
        [2149, 82],
      ],
    ],
    [
      31,
      4,
      95,
      [
        [182, 92],
        [266, 75],
        [332, 66],
      ],
    ],
    [
      2,
      6,
      129,
      [
        [57, 102],
        [246, 85],
        [493, 71],
      ],
    ],
    // Classes are taken out of these after no switch pays any more.
    [
      14,
      3,
      59,
      [
        [369, 53],
        [2773, 51],
      ],
    ],
    [
      47,
      3,
      66,
      [
        [354, 65],
        [2274, 55],
      ],
    ],
    [
      11,
      4,
      93,
      [
        [722, 89],
        [4582, 74],
      ],
    ],
  ])('is spent edge by edge: seed %i, %i products', (seed, productCount, before, steps) => {
    const { classes, roots } = parallelFamily(mulberry32(seed), productCount);
    const cost = (improveBudget: number): number =>
      orThrow(extractDag(graphOf(classes), roots, payloadCost, { improveBudget })).cost;
    const found = steps.flatMap(([budget]) => [cost(budget - 1), cost(budget)]);
    const costs = [before, ...steps.map(([, after]) => after)];
    expect(found).toEqual(steps.flatMap((_, i) => [costs[i], costs[i + 1]]));
    expect(cost(20_000)).toBe(costs.at(-1));
  });

  it('may end with the first way through the graph', () => {
    const { classes, roots } = parallelFamily(mulberry32(47), 3);
    const cost = (improveLeast: number): number =>
      orThrow(extractDag(graphOf(classes), roots, payloadCost, { improveLeast })).cost;
    expect([0, 5_000].map(cost)).toEqual([65, 55]);
  });
});

describe('greedy extraction', () => {
  it('keeps the first of several choices that cost the same', () => {
    const classes: Classes = [[node('a', 2), node('b', 2), node('c', 1), node('d', 1)]];
    const first = (terms: ReadonlyArray<{ readonly name: string }>) => terms.map((t) => t.name);
    expect(first(orThrow(extractTree(graphOf(classes), [0], sumOf(payloadCost))).terms)).toEqual([
      'c',
    ]);
    expect(first(orThrow(extractDag(graphOf(classes), [0], payloadCost)).terms)).toEqual(['c']);
  });

  it('gives each root its own term, in their order', () => {
    const { terms, cost } = orThrow(extractDag(graphOf(sharing), [2, 1, 2], payloadCost));
    expect(terms.map((t) => t.name)).toEqual(['y', 'x', 'y']);
    expect(terms[0]).toBe(terms[2]);
    expect(cost).toBe(12);
    const trees = orThrow(extractTree(graphOf(sharing), [2, 1, 2], sumOf(payloadCost)));
    expect(trees.costs).toEqual([7, 5, 7]);
  });

  it('names the root that has no term, and the node whose cost is wrong', () => {
    const looped: Classes = [[node('x', 1)], [node('f', 1, [1])]];
    const failed = extractDag(graphOf(looped), [0, 1], payloadCost);
    expect(failed._tag === 'Left' && failed.left[0].message).toContain('class 1');
    const shrinking = {
      cost: (it: ReadableNode) => 5 - it.children.length,
      compare: sizeCost.compare,
    };
    const classes: Classes = [[node('f', 0, [1])], [node('x', 0)]];
    const refused = extractTree(graphOf(classes), [0], shrinking);
    expect(refused._tag === 'Left' && refused.left[0]).toMatchObject({
      code: 'EXTRACT_BAD_COST',
      message: expect.stringContaining('no less than the cost of a child') as string,
    });
    const nan = extractTree(
      graphOf(classes),
      [0],
      sumOf(() => Number.NaN),
    );
    expect(nan._tag === 'Left' && nan.left[0].message).toContain('a number');
  });
});
