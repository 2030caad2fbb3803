import type { Choice, FlatGraph } from './flat.ts';

/** Walks what a choice selects, over and over. */
export interface Walker {
  /**
   * The sum of the costs of the selected nodes; infinite if the choice is cyclic or incomplete, or
   * once the sum is not below `bound`. The walk begins at the roots, unless others are given.
   */
  cost(choice: Choice, bound?: number, from?: ReadonlyArray<number>): number;
  /** The classes that the last walk went through, children first, if it was not given up. */
  readonly order: ReadonlyArray<number>;
  /** Whether a class is in `order`. */
  has(eclass: number): boolean;
  /** How many edges were walked so far: the measure of a budget. */
  steps: number;
}

/** A walker from the roots of `graph`. */
export function makeWalker({ classes, roots }: FlatGraph): Walker {
  // A class is entered with the odd mark of a walk and left with the even one that follows.
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
      // A class on its way out is written as its complement.
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
