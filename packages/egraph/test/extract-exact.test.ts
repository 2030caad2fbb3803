/** The integer program of an extraction, the treatment of a solver's answers, and budgets. */
import { mulberry32, orThrow } from '@baton/base';
import {
  extractDag,
  extractExact,
  extractTree,
  type HighsModule,
  printTerm,
  type ReadableNode,
  sizeCost,
  sumOf,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import { type Classes, graphOf, node, parallelFamily, payloadCost } from './extract-graphs.ts';

/** `(f x x)` beside `(g y)`: by tree `g` is cheaper, by DAG `f` is. */
const sharing: Classes = [
  [node('f', 1, [1, 1]), node('g', 1, [2])],
  [node('x', 5)],
  [node('y', 7)],
];

/** A solver that notes its program and gives this answer. */
function solver(status: string, chosen: Readonly<Record<string, number>>) {
  const asked: { text: string; options: unknown }[] = [];
  const highs: HighsModule = {
    solve: (text, options) => {
      asked.push({ text, options });
      const columns = Object.entries(chosen).map(([name, value]) => [name, { Primal: value }]);
      return { Status: status, Columns: Object.fromEntries(columns) };
    },
  };
  return { asked, highs };
}

async function programOf(classes: Classes, roots: ReadonlyArray<number>): Promise<string> {
  const { asked, highs } = solver('Optimal', {});
  orThrow(await extractExact(graphOf(classes), roots, payloadCost, { highs }));
  return asked[0]?.text ?? 'the solver was not asked';
}

describe('the integer program', () => {
  it('has a choice for each root, and for each class below a chosen node', async () => {
    expect(await programOf(sharing, [0])).toBe(
      [
        'Minimize',
        'obj:',
        ' + 1 n0',
        ' + 1 n1',
        ' + 5 n2',
        ' + 7 n3',
        'Subject To',
        '+ n0 + n1 >= 1',
        '+ n2 - n0 >= 0',
        '+ n3 - n1 >= 0',
        'Bounds',
        'Binary',
        ' n0',
        ' n1',
        ' n2',
        ' n3',
        'End',
      ].join('\n'),
    );
  });

  it('has an order in cycles, and leaves out nodes in no term or out of reach', async () => {
    const classes: Classes = [
      [node('top', 1, [1, 2])],
      [node('f', 2, [2]), node('leaf', 9)],
      [node('g', 3, [1]), node('h', 4, [3]), node('self', 1, [2])],
      [node('x', 5)],
      [node('unused', 1)],
      [node('endless', 1, [5])],
      [node('above', 1, [5, 3])],
    ];
    expect(
      await programOf(
        [...classes.slice(0, 2), [...(classes[2] ?? []), node('e', 1, [5])], ...classes.slice(3)],
        [0, 0],
      ),
    ).toBe(
      [
        'Minimize',
        'obj:',
        ' + 1 n0',
        ' + 2 n1',
        ' + 9 n2',
        ' + 3 n3',
        ' + 4 n4',
        ' + 5 n5',
        'Subject To',
        '+ n0 >= 1',
        '+ n1 + n2 - n0 >= 0',
        '+ n3 + n4 - n0 >= 0',
        '+ n3 + n4 - n1 >= 0',
        '+ n1 + n2 - n3 >= 0',
        '+ n5 - n4 >= 0',
        't1 - t2 - 2 n1 >= -1',
        't2 - t1 - 2 n3 >= -1',
        'Bounds',
        ' 0 <= t1 <= 1',
        ' 0 <= t2 <= 1',
        'Binary',
        ' n0',
        ' n1',
        ' n2',
        ' n3',
        ' n4',
        ' n5',
        'End',
      ].join('\n'),
    );
  });
});

describe('the answer of a solver', () => {
  // Exactly `(g y)`, which the greedy extraction does not choose.
  const dear: Classes = [[node('f', 1, [1]), node('g', 1, [2])], [node('x', 5)], [node('y', 7)]];
  const text = (terms: Parameters<typeof printTerm>[0]): string => printTerm(terms, (n) => n);
  const answered = async (status: string, chosen: Readonly<Record<string, number>>) => {
    const { asked, highs } = solver(status, chosen);
    const result = await extractExact(graphOf(dear), [0], payloadCost, {
      highs: () => Promise.resolve(highs),
      timeLimitSeconds: 3,
    });
    expect(asked.map((one) => one.options)).toEqual([
      { mip_rel_gap: 0, mip_abs_gap: 0, time_limit: 3 },
    ]);
    return result;
  };

  it('is taken if it is cheaper than the previous selection', async () => {
    const far = orThrow(await answered('Optimal', { n0: 0, n1: 1, n2: 0, n3: 1 }));
    expect([far.terms.map(text), far.cost, far.optimal]).toEqual([['(f x)'], 6, true]);
    const half = orThrow(await answered('Time limit reached', { n0: 0.49, n3: 0.51 }));
    expect([half.terms.map(text), half.cost, half.optimal]).toEqual([['(f x)'], 6, false]);
    const classes: Classes = [
      [node('u', 1, [2]), node('p', 0, [4])],
      [node('v', 1, [3]), node('q', 0, [4])],
      [node('a', 5)],
      [node('b', 5)],
      [node('ab', 8)],
    ];
    const { highs } = solver('Optimal', { n1: 1, n3: 1, n5: 0.51 });
    const greedy = orThrow(extractDag(graphOf(classes), [0, 1], payloadCost, { improveBudget: 0 }));
    expect(greedy.cost).toBe(12);
    for (const timed of [{}, { timeLimitSeconds: 1 }]) {
      const exact = orThrow(
        await extractExact(graphOf(classes), [0, 1], payloadCost, {
          highs,
          improveBudget: 0,
          ...timed,
        }),
      );
      expect([exact.terms.map(text), exact.cost, exact.optimal]).toEqual([
        ['(p ab)', '(q ab)'],
        8,
        true,
      ]);
    }
  });

  it('is not needed where nothing costs anything, or nothing is asked for', async () => {
    const { asked, highs } = solver('Optimal', {});
    const free: Classes = [[node('f', 0, [1])], [node('x', 0)]];
    const result = orThrow(await extractExact(graphOf(free), [0], payloadCost, { highs }));
    expect([result.cost, result.optimal]).toEqual([0, true]);
    const none = orThrow(await extractExact(graphOf(sharing), [], payloadCost, { highs }));
    expect(none).toEqual({ terms: [], cost: 0, optimal: true });
    expect(asked).toEqual([]);
  });

  it('that there is none is a failure', async () => {
    const failed = await answered('Infeasible', {});
    expect(failed).toMatchObject({ left: [{ code: 'EXTRACT_SOLVER_FAILED' }] });
    expect(failed._tag === 'Left' && failed.left[0].message).toContain('the status Infeasible');
    const thrown = await extractExact(graphOf(dear), [0], payloadCost, {
      highs: {
        solve: () => {
          throw new Error('out of memory');
        },
      },
    });
    expect(thrown._tag === 'Left' && thrown.left[0].message).toContain('out of memory');
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
        [221, 56],
      ],
    ],
    [
      11,
      6,
      142,
      [
        [1625, 95],
        [2181, 93],
      ],
    ],
    [5, 3, 79, [[232, 59]]],
    [
      23,
      7,
      108,
      [
        [1886, 106],
        [1942, 99],
        [2105, 82],
      ],
    ],
    [
      31,
      4,
      95,
      [
        [185, 92],
        [256, 75],
        [392, 66],
      ],
    ],
    [
      2,
      6,
      129,
      [
        [57, 102],
        [284, 85],
        [508, 71],
      ],
    ],
    // Classes are taken out of these, or forced into them, after no switch pays any more.
    [
      14,
      3,
      59,
      [
        [306, 53],
        [2702, 51],
      ],
    ],
    [
      47,
      3,
      66,
      [
        [277, 65],
        [10_919, 55],
      ],
    ],
    [
      11,
      4,
      93,
      [
        [639, 89],
        [4789, 74],
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
