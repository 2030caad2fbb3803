/** The price of switches by the uses of classes, compared with walks through all that is selected. */
import { mulberry32, orThrow } from '@baton/base';
import { describe, expect, it } from 'vitest';
import { makeWalker } from '../src/extract/choice.ts';
import { type Choice, type FlatNode, flatten } from '../src/extract/flat.ts';
import { cheapestAround } from '../src/extract/tree.ts';
import { makeUses } from '../src/extract/uses.ts';
import { graphOf, payloadCost, randomClasses } from './extract-graphs.ts';

describe('the difference that switches make', () => {
  it.each([1, 2])('is that of two walks: seed %i', (seed) => {
    const random = mulberry32(seed);
    const below = (n: number): number => Math.floor(random() * n);
    let compared = 0;
    for (let round = 0; round < 1_000; round++) {
      const graph = orThrow(flatten(graphOf(randomClasses(random)), [0, 1], payloadCost));
      const walker = makeWalker(graph);
      const uses = makeUses(graph, walker);
      const choice: Choice = cheapestAround(graph, [], () => false).choice;
      const cost = walker.cost(choice);
      if (cost === Number.POSITIVE_INFINITY) continue;
      uses.reset(choice);
      for (let attempt = 0; attempt < 10; attempt++) {
        const before = new Map<number, FlatNode | undefined>();
        for (let i = 1 + below(3); i > 0; i--) {
          const home = below(graph.classes.length);
          const nodes = graph.classes[home] ?? [];
          if (nodes.length === 0 || before.has(home)) continue;
          before.set(home, choice[home]);
          choice[home] = nodes[below(nodes.length)];
        }
        const difference = uses.difference(choice, before);
        const after = walker.cost(choice);
        if (after < Number.POSITIVE_INFINITY) {
          // A cycle of classes that are no longer selected still uses itself.
          expect(cost + difference).toBeGreaterThanOrEqual(after);
          const isKept = [...before.keys()].every((home) => walker.has(home));
          if (isKept) expect([round, cost + difference]).toEqual([round, after]);
          compared += Number(isKept && difference !== 0);
        }
        for (const [home, node] of before) choice[home] = node;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });
});
