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
  /** The milliseconds of the small and of the large input: the least of up to four rounds. */
  readonly ms: readonly [small: number, large: number];
  /** The time for each part, large to small: 1 is linear. */
  readonly growth: number;
}

const ROUNDS = 4;

/** **Units** ms. When so much has been spent, no other round begins; there is one at least. */
const BUDGET = 5_000;

/**
 * The processor time of this process in milliseconds: other work on the machine does not count. With
 * Node's option `--single-threaded` it is the time of the measured work and of its garbage alone; and
 * with a young generation that holds all that one run makes, of the work.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Measures both sizes interleaved, after a round that warms up. The small one runs as often as it takes
 * to do the work of the large one: both then have the same share of the garbage collector.
 */
export function growthOf<A>(
  small: Sized<A>,
  large: Sized<A>,
  run: (input: A) => unknown,
  now: () => number = () => performance.now(),
): Growth {
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const often = Math.max(1, Math.round(large.size / small.size));
  let spent = 0;
  for (let round = 0; round <= ROUNDS && (round <= 1 || spent < BUDGET); round++) {
    for (const [at, { make }] of [small, large].entries()) {
      const inputs = Array.from({ length: at === 0 ? often : 1 }, make);
      // Garbage of earlier work is none of this one's; Node has the function if it is asked for.
      globalThis.gc?.();
      const start = now();
      for (const input of inputs) run(input);
      const elapsed = now() - start;
      spent += elapsed;
      const ms = elapsed / inputs.length;
      if (round > 0) least[at] = Math.min(least[at] ?? ms, ms);
    }
  }
  return { ms: least, growth: least[1] / large.size / (least[0] / small.size) };
}
