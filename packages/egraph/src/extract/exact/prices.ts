/** A lower bound for the cost of a problem. */
import { excesses, makeDualPrices, settle, shareCosts, slopes } from './dual-prices.ts';
import type { Option, Problem } from './problem.ts';

/** A proved bound, and what each option adds to it. */
export interface Prices {
  /** No choice costs less. */
  readonly bound: number;
  /** The least cost beyond the bound of a choice with an option. */
  readonly excess: ReadonlyMap<Option, number>;
}

/** After this number of rounds without a better bound the step length is halved. */
const PATIENCE = 30;

/** The smallest step, as a share of the one that would close the gap on a plane. */
const LEAST_STEP = 1e-3;

/** How much of the last direction the next one keeps. */
const MOMENTUM = 0.7;

/**
 * The bound after at most `rounds` changes of prices: a price rises where a class is used but not
 * made, and falls where it is made but not used. `upper` is the cost of a known choice.
 *
 * **Source** Lagrangian relaxation, solved by the subgradient method.
 */
export function findPrices(problem: Problem, upper: number, rounds: number): Prices {
  const dual = makeDualPrices(problem);
  const { price } = dual;
  shareCosts(dual);
  let bound = settle(dual);
  let best = bound;
  let bestPrice = price.slice();
  const slope = new Float64Array(price.length);
  const direction = new Float64Array(price.length);
  let step = 1;
  for (let round = 0, idle = 0; round < rounds && step > LEAST_STEP && best < upper; round++) {
    slopes(dual, slope);
    let square = 0;
    for (let p = 0; p < price.length; p++) {
      const turn = (slope[p] as number) + MOMENTUM * (direction[p] as number);
      direction[p] = turn;
      if (turn > 0 || (price[p] as number) > 0) square += turn * turn;
    }
    if (square === 0) break;
    const length = (step * (upper - bound)) / square;
    for (let p = 0; p < price.length; p++) {
      price[p] = Math.max(0, (price[p] as number) + length * (direction[p] as number));
    }
    bound = settle(dual);
    idle += 1;
    if (bound > best) {
      if (bound > best + (upper - best) * 1e-3) idle = 0;
      best = bound;
      bestPrice = price.slice();
    }
    if (idle > PATIENCE) {
      idle = 0;
      step /= 2;
    }
  }
  price.set(bestPrice);
  return { bound: settle(dual), excess: excesses(dual) };
}
