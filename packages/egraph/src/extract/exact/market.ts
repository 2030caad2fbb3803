/** Prices that the users of a class pay for it, and what follows from them. */
import type { Option, Problem } from './problem.ts';

/** A problem in flat arrays. A pair is a class, the buyer, with one of its children, the good. */
export interface Market {
  readonly options: ReadonlyArray<Option>;
  /** The first option of each class, and the end of the last one's. */
  readonly optionsFrom: Int32Array;
  /** The first place of each option in `pairs`, and the end of the last one's. */
  readonly pairsFrom: Int32Array;
  readonly pairs: Int32Array;
  readonly buyer: Int32Array;
  readonly good: Int32Array;
  readonly isRoot: Uint8Array;
  /** The price of each pair. A root is computed anyway and costs its users nothing. */
  readonly price: Float64Array;
  /** All that is paid for each class. */
  readonly income: Float64Array;
  /** The cheapest option of each class, and its cost with what it pays for its children. */
  readonly cheapest: Int32Array;
  readonly least: Float64Array;
}

/** The market of a problem all of whose classes are needed, with all prices 0. */
export function makeMarket({ classes, roots }: Problem): Market {
  const options = classes.flat();
  const optionsFrom = new Int32Array(classes.length + 1);
  const pairsFrom = new Int32Array(options.length + 1);
  const pairs: number[] = [];
  const buyer: number[] = [];
  const good: number[] = [];
  let at = 0;
  for (const [c, own] of classes.entries()) {
    const pairOf = new Map<number, number>();
    for (const { children } of own) {
      for (const d of children) {
        let pair = pairOf.get(d);
        if (pair === undefined) {
          pair = buyer.push(c) - 1;
          good.push(d);
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
    buyer: Int32Array.from(buyer),
    good: Int32Array.from(good),
    isRoot: Uint8Array.from(classes, (_, c) => (roots.has(c) ? 1 : 0)),
    price: new Float64Array(good.length),
    income: new Float64Array(classes.length),
    cheapest: new Int32Array(classes.length),
    least: new Float64Array(classes.length),
  };
}

/** Sets the prices so that the users of a class share its cost. */
export function shareCosts(market: Market): void {
  const { good, isRoot, price, least } = market;
  const users = new Int32Array(least.length);
  for (const g of good) users[g] = (users[g] as number) + 1;
  for (let sweep = 0; sweep < 3; sweep++) {
    for (let c = least.length - 1; c >= 0; c--) compare(market, c);
    for (const [p, g] of good.entries()) {
      price[p] = isRoot[g] ? 0 : (least[g] as number) / (users[g] as number);
    }
  }
}

/**
 * Computes what follows from the prices, and returns a bound: no acyclic choice costs less, for any
 * prices of 0 or more. A class that is paid more than it costs lowers the bound.
 */
export function settle(market: Market): number {
  const { good, isRoot, price, income, least } = market;
  income.fill(0);
  for (let p = 0; p < price.length; p++) {
    const g = good[p] as number;
    income[g] = (income[g] as number) + (price[p] as number);
  }
  let bound = 0;
  for (let c = 0; c < least.length; c++) {
    compare(market, c);
    const cost = least[c] as number;
    bound += isRoot[c] ? cost : Math.min(0, cost - (income[c] as number));
  }
  return bound;
}

/** Whether the bound counts on a class: it is a root, or paid more than it costs. */
export const isMade = ({ isRoot, income, least }: Market, c: number): boolean =>
  isRoot[c] === 1 || (least[c] as number) < (income[c] as number);

/** For each pair, the use of the good by what is made less the making of the good: 1, 0 or -1. */
export function slopes(market: Market, slope: Float64Array): void {
  const { pairs, pairsFrom, good, isRoot, cheapest } = market;
  const made = Float64Array.from(cheapest, (_, c) => (isMade(market, c) ? 1 : 0));
  for (let p = 0; p < slope.length; p++) slope[p] = -(made[good[p] as number] as number);
  for (let c = 0; c < cheapest.length; c++) {
    if (made[c] === 0) continue;
    const option = cheapest[c] as number;
    for (let i = pairsFrom[option] as number; i < (pairsFrom[option + 1] as number); i++) {
      const pair = pairs[i] as number;
      slope[pair] = (slope[pair] as number) + 1;
    }
  }
  for (let p = 0; p < slope.length; p++) if (isRoot[good[p] as number]) slope[p] = 0;
}

/** For each option, what a choice with it costs beyond the bound at least. */
export function excesses(market: Market): ReadonlyMap<Option, number> {
  const { options, optionsFrom, isRoot, income, least } = market;
  const excess = new Map<Option, number>();
  for (let c = 0; c < least.length; c++) {
    const paid = isRoot[c] ? Infinity : (income[c] as number);
    const counted = Math.min(least[c] as number, paid);
    for (let o = optionsFrom[c] as number; o < (optionsFrom[c + 1] as number); o++) {
      excess.set(options[o] as Option, costOf(market, o) - counted);
    }
  }
  return excess;
}

function costOf({ options, pairsFrom, pairs, price }: Market, option: number): number {
  let sum = (options[option] as Option).cost;
  const end = pairsFrom[option + 1] as number;
  for (let i = pairsFrom[option] as number; i < end; i++) {
    sum += price[pairs[i] as number] as number;
  }
  return sum;
}

/** Finds the cheapest option of a class. */
function compare(market: Market, c: number): void {
  const { optionsFrom, cheapest, least } = market;
  let min = Infinity;
  for (let o = optionsFrom[c] as number; o < (optionsFrom[c + 1] as number); o++) {
    const cost = costOf(market, o);
    if (cost >= min) continue;
    min = cost;
    cheapest[c] = o;
  }
  least[c] = min;
}
