/** Dual prices of a problem: its users share the cost of a class, which bounds every choice. */
import type { Option, Problem } from './problem.ts';

/** A problem in flat arrays. A pair is a class with one of its children. */
export interface DualPrices {
  readonly options: ReadonlyArray<Option>;
  /** The first option of each class, and the end of the last one's. */
  readonly optionsFrom: Int32Array;
  /** The start of each option in `pairs`, and the end of the last one's. */
  readonly pairsFrom: Int32Array;
  readonly pairs: Int32Array;
  /** The child of each pair. */
  readonly child: Int32Array;
  readonly isRoot: Uint8Array;
  /** The price of each pair. A root is computed anyway and costs its users nothing. */
  readonly price: Float64Array;
  /** All that is paid for each class. */
  readonly paid: Float64Array;
  /** The cheapest option of each class, and its cost plus the prices of its children. */
  readonly cheapest: Int32Array;
  readonly least: Float64Array;
}

/** All prices are 0. Every class of the problem must be needed. */
export function makeDualPrices({ classes, roots }: Problem): DualPrices {
  const options = classes.flat();
  const optionsFrom = new Int32Array(classes.length + 1);
  const pairsFrom = new Int32Array(options.length + 1);
  const pairs: number[] = [];
  const child: number[] = [];
  let at = 0;
  for (const [c, own] of classes.entries()) {
    const pairOf = new Map<number, number>();
    for (const { children } of own) {
      for (const d of children) {
        let pair = pairOf.get(d);
        if (pair === undefined) {
          pair = child.push(d) - 1;
          pairOf.set(d, pair);
        }
        pairs.push(pair);
      }
      pairsFrom[++at] = pairs.length;
    }
    optionsFrom[c + 1] = at;
  }
  return {
    options,
    optionsFrom,
    pairsFrom,
    pairs: Int32Array.from(pairs),
    child: Int32Array.from(child),
    isRoot: Uint8Array.from(classes, (_, c) => (roots.has(c) ? 1 : 0)),
    price: new Float64Array(child.length),
    paid: new Float64Array(classes.length),
    cheapest: new Int32Array(classes.length),
    least: new Float64Array(classes.length),
  };
}

/** Sets the prices so that the users of a class share its cost. */
export function shareCosts(prices: DualPrices): void {
  const { child, isRoot, price, least } = prices;
  const users = new Int32Array(least.length);
  for (const g of child) users[g] = (users[g] as number) + 1;
  for (let sweep = 0; sweep < 3; sweep++) {
    for (let c = least.length - 1; c >= 0; c--) compare(prices, c);
    for (const [p, g] of child.entries()) {
      price[p] = isRoot[g] ? 0 : (least[g] as number) / (users[g] as number);
    }
  }
}

/**
 * Computes what follows from the prices, and returns a bound: no acyclic choice costs less, for any
 * prices of 0 or more. A class that is paid more than it costs lowers the bound.
 */
export function settle(prices: DualPrices): number {
  const { child, isRoot, price, paid, least } = prices;
  paid.fill(0);
  for (let p = 0; p < price.length; p++) {
    const g = child[p] as number;
    paid[g] = (paid[g] as number) + (price[p] as number);
  }
  let bound = 0;
  for (let c = 0; c < least.length; c++) {
    compare(prices, c);
    const cost = least[c] as number;
    bound += isRoot[c] ? cost : Math.min(0, cost - (paid[c] as number));
  }
  return bound;
}

/** Whether the bound counts on a class: it is a root, or paid more than it costs. */
export const isMade = ({ isRoot, paid, least }: DualPrices, c: number): boolean =>
  isRoot[c] === 1 || (least[c] as number) < (paid[c] as number);

/** The subgradient: for each pair +1 if a made class uses the child, and −1 if the child is made. */
export function slopes(prices: DualPrices, slope: Float64Array): void {
  const { pairs, pairsFrom, child, isRoot, cheapest } = prices;
  const made = Float64Array.from(cheapest, (_, c) => (isMade(prices, c) ? 1 : 0));
  for (let p = 0; p < slope.length; p++) slope[p] = -(made[child[p] as number] as number);
  for (let c = 0; c < cheapest.length; c++) {
    if (made[c] === 0) continue;
    const option = cheapest[c] as number;
    for (let i = pairsFrom[option] as number; i < (pairsFrom[option + 1] as number); i++) {
      const pair = pairs[i] as number;
      slope[pair] = (slope[pair] as number) + 1;
    }
  }
  for (let p = 0; p < slope.length; p++) if (isRoot[child[p] as number]) slope[p] = 0;
}

/** For each option, what a choice with it costs beyond the bound at least. */
export function excesses(prices: DualPrices): ReadonlyMap<Option, number> {
  const { options, optionsFrom, isRoot, paid, least } = prices;
  const excess = new Map<Option, number>();
  for (let c = 0; c < least.length; c++) {
    const most = isRoot[c] ? Infinity : (paid[c] as number);
    const counted = Math.min(least[c] as number, most);
    for (let o = optionsFrom[c] as number; o < (optionsFrom[c + 1] as number); o++) {
      excess.set(options[o] as Option, costOf(prices, o) - counted);
    }
  }
  return excess;
}

function costOf({ options, pairsFrom, pairs, price }: DualPrices, option: number): number {
  let sum = (options[option] as Option).cost;
  const end = pairsFrom[option + 1] as number;
  for (let i = pairsFrom[option] as number; i < end; i++) {
    sum += price[pairs[i] as number] as number;
  }
  return sum;
}

/** Finds the cheapest option of a class. */
function compare(prices: DualPrices, c: number): void {
  const { optionsFrom, cheapest, least } = prices;
  let min = Infinity;
  for (let o = optionsFrom[c] as number; o < (optionsFrom[c + 1] as number); o++) {
    const cost = costOf(prices, o);
    if (cost >= min) continue;
    min = cost;
    cheapest[c] = o;
  }
  least[c] = min;
}
