/** The random choices of a generator, all from one seed. */
import { mulberry32 } from '@baton/base';

/** An alternative and its frequency, relative to the others. */
export type Weighted<A> = readonly [weight: number, value: A];

/** Random choices: the same for the same seed. */
export interface Choices {
  /** An integer from `min` to `max`, both included. */
  readonly int: (min: number, max: number) => number;
  /** True with probability `p`. */
  readonly chance: (p: number) => boolean;
  readonly pick: <A>(items: ReadonlyArray<A>) => A;
  readonly weighted: <A>(items: ReadonlyArray<Weighted<A>>) => A;
  /** The items in another order. */
  readonly shuffle: <A>(items: ReadonlyArray<A>) => ReadonlyArray<A>;
}

export function makeChoices(seed: number): Choices {
  const next = mulberry32(seed);
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    int,
    chance: (p) => next() < p,
    pick: <A>(items: ReadonlyArray<A>): A => items[int(0, items.length - 1)] as A,
    weighted: <A>(items: ReadonlyArray<Weighted<A>>): A => {
      const total = items.reduce((sum, [weight]) => sum + weight, 0);
      let left = next() * total;
      for (const [weight, value] of items) {
        left -= weight;
        if (left < 0) return value;
      }
      return (items[items.length - 1] as Weighted<A>)[1];
    },
    shuffle: <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
      const order = [...items];
      for (let i = order.length - 1; i > 0; i--) {
        const j = int(0, i);
        const moved = order[i] as A;
        order[i] = order[j] as A;
        order[j] = moved;
      }
      return order;
    },
  };
}
