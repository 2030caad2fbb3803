/** The uses of classes in a choice: the price of a switch without a walk through all that is selected. */
import type { Walker } from './choice.ts';
import type { Choice, FlatGraph, FlatNode } from './flat.ts';

export interface Uses {
  /** Counts the uses in a choice, by the classes of the last walk. */
  reset(choice: Choice): void;
  /**
   * How much more a choice costs than when its nodes were `before`, by their classes; NaN if that is not
   * known. If the choice is now cyclic it is some number; if only what is no longer selected is cyclic,
   * that still counts.
   *
   * **Complexity** linear in the edges that begin or cease to be used.
   */
  difference(choice: Choice, before: ReadonlyMap<number, FlatNode | undefined>): number;
}

export function makeUses({ classes, roots }: FlatGraph, walker: Walker): Uses {
  const counts = new Int32Array(classes.length);
  return {
    reset(choice) {
      counts.fill(0);
      const nodes = walker.order.map((c) => choice[c] as FlatNode);
      for (const { children } of [{ children: roots }, ...nodes]) {
        for (const c of children) counts[c] = (counts[c] as number) + 1;
      }
    },
    difference(choice, before) {
      const changed: number[] = [];
      let sum = 0;
      /** Counts the edges of a node, and of those that their first use selects or their last one drops. */
      const count = (first: FlatNode | undefined, sign: number): void => {
        const stack = [first];
        while (stack.length > 0) {
          const node = stack.pop();
          sum += sign * (node?.cost ?? Number.NaN);
          for (const c of node?.children ?? []) {
            const uses = (counts[c] as number) + sign;
            counts[c] = uses;
            changed.push(c, sign);
            if (uses === (sign + 1) / 2) stack.push(choice[c]);
          }
        }
      };
      const used = [...before].filter(([home]) => counts[home]);
      for (const [home] of used) count(choice[home], 1);
      for (const [, node] of used) count(node, -1);
      for (let i = 0; i < changed.length; i += 2) {
        const c = changed[i] as number;
        counts[c] = (counts[c] as number) - (changed[i + 1] as number);
      }
      walker.steps += changed.length / 2;
      return sum;
    },
  };
}
