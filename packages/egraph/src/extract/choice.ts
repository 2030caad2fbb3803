/** The cost of a choice of nodes. */
import type { Choice, FlatGraph } from './flat.ts';

/** Walks the selected nodes of a choice, over and over. */
export interface Walker {
  /**
   * The sum of the costs of the selected nodes; infinite if the choice is cyclic or incomplete, or
   * if the sum reaches `bound`. The walk begins at the roots by default.
   */
  cost(choice: Choice, bound?: number, from?: ReadonlyArray<number>): number;
  /** The classes of the last complete walk, children first. */
  readonly order: ReadonlyArray<number>;
  /** Whether a class is in `order`. */
  has(eclass: number): boolean;
  /** The number of edges walked so far: the measure of a budget. */
  steps: number;
}

/** A walker from the roots of `graph`. */
export function makeWalker({ classes, roots }: FlatGraph): Walker {
  // A walk enters a class with its odd mark, and leaves it with the following even one.
  const marks = new Int32Array(classes.length);
  let done = 0;
  const order: number[] = [];
  const walker = {
    order,
    steps: 0,
    has: (eclass: number) => marks[eclass] === done,
    cost(choice: Choice, bound = Infinity, from = roots) {
      done += 2;
      order.length = 0;
      let total = 0;
      // The complement of a class on the stack means leaving it.
      const stack = [...from];
      for (let c = stack.pop(); c !== undefined; c = stack.pop()) {
        if (c < 0) {
          marks[~c] = done;
          order.push(~c);
        } else if (marks[c] !== done) {
          const node = choice[c];
          if (!node || marks[c] === done - 1) return Infinity;
          total += node.cost;
          if (total >= bound) return Infinity;
          marks[c] = done - 1;
          stack.push(~c);
          for (const below of node.children) stack.push(below);
          walker.steps += node.children.length;
        }
      }
      return total;
    },
  };
  return walker;
}
