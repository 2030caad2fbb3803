/** How the time of some work grows with the size of what it works on. */

/** What is done with inputs of one size: `make` is not measured. */
export interface Sized<A> {
  /** The size, in what the time is to be linear in. */
  readonly size: number;
  /** Fresh inputs, since results are remembered by identity. */
  readonly make: () => A;
}

/** The times at two sizes, and how much more a large input takes for each part of it. */
export interface Growth {
  /** The milliseconds of the small and of the large input: the least of some rounds. */
  readonly ms: readonly [small: number, large: number];
  /** The time for each part, large to small: 1 is linear. */
  readonly growth: number;
}

const ROUNDS = 5;

/** Measures both sizes in turn, after a round that warms up. */
export function growthOf<A>(
  small: Sized<A>,
  large: Sized<A>,
  run: (input: A) => unknown,
  rounds = ROUNDS,
): Growth {
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round <= rounds; round++) {
    for (const [at, { make }] of [small, large].entries()) {
      const input = make();
      const start = performance.now();
      run(input);
      const ms = performance.now() - start;
      if (round > 0) least[at] = Math.min(least[at] ?? ms, ms);
    }
  }
  return { ms: least, growth: least[1] / large.size / (least[0] / small.size) };
}
