import type { FlatGraph } from './flat.ts';

/** For every class the node that stands for it, or -1 for none. */
export type Choice = Int32Array;

/** Walks what a choice selects from the roots, over and over, without allocating. */
export interface Walker {
  /** The sum of the costs of the selected nodes, infinite if the choice is cyclic or incomplete. */
  cost(choice: Choice): number;
  /** As `cost`, but gives up, infinite, once the sum is not below `bound`. */
  costBelow(choice: Choice, bound: number): number;
  /** The selected classes, children first; `undefined` if cyclic or incomplete. */
  order(choice: Choice): ReadonlyArray<number> | undefined;
  /** How many edges were walked so far: the measure of a budget. */
  readonly steps: number;
}

/** A walker from the roots of `graph`. */
export function makeWalker(graph: FlatGraph, costs: Float64Array): Walker {
  const { firstChild, child, classCount } = graph;
  // A class is entered with the odd mark of a walk and left with the even one that follows.
  const marks = new Int32Array(classCount);
  const stack = new Int32Array(classCount + 1);
  const position = new Int32Array(classCount + 1);
  let mark = 0;
  let steps = 0;

  const walk = (choice: Choice, bound: number, leave: (eclass: number) => void): number => {
    mark += 2;
    const open = mark - 1;
    const done = mark;
    let total = 0;
    for (const root of graph.roots) {
      if (marks[root] === done) continue;
      let top = 0;
      let entering = root;
      for (;;) {
        if (entering >= 0) {
          const node = choice[entering] as number;
          if (node < 0) return Number.POSITIVE_INFINITY;
          total += costs[node] as number;
          if (total >= bound) return Number.POSITIVE_INFINITY;
          marks[entering] = open;
          stack[top] = entering;
          position[top] = firstChild[node] as number;
          top += 1;
          entering = -1;
        }
        const eclass = stack[top - 1] as number;
        const node = choice[eclass] as number;
        const at = position[top - 1] as number;
        if (at === firstChild[node + 1]) {
          marks[eclass] = done;
          leave(eclass);
          top -= 1;
          if (top === 0) break;
          continue;
        }
        steps += 1;
        position[top - 1] = at + 1;
        const next = child[at] as number;
        if (marks[next] === open) return Number.POSITIVE_INFINITY;
        if (marks[next] !== done) entering = next;
      }
    }
    return total;
  };
  const ignore = (): void => {};

  return {
    cost: (choice) => walk(choice, Number.POSITIVE_INFINITY, ignore),
    costBelow: (choice, bound) => walk(choice, bound, ignore),
    order(choice) {
      const order: number[] = [];
      const total = walk(choice, Number.POSITIVE_INFINITY, (c) => order.push(c));
      return total === Number.POSITIVE_INFINITY ? undefined : order;
    },
    get steps() {
      return steps;
    },
  };
}
