/** Repeats in a list of numbers. */

/** Equal stretches side by side: `count` of them, each of `period` elements, from `start` on. */
export interface Repeat {
  readonly start: number;
  readonly period: number;
  readonly count: number;
}

/** What makes a repeat worth its while. */
export interface RepeatOptions {
  /** The size of an element. */
  readonly sizeOf: (index: number) => number;
  /** The least size of a stretch. */
  readonly leastSize: number;
  /** The most elements of a stretch. */
  readonly maxPeriod: number;
  /** Whether a stretch ends well with an element. */
  readonly endsWell: (index: number) => boolean;
}

/**
 * Repeats that do not overlap, those first that save the most; in order of their places.
 *
 * **Complexity** linear in the list, times the greatest period, for each repeat that is found.
 */
export function repeatsIn(
  list: ReadonlyArray<number>,
  options: RepeatOptions,
): ReadonlyArray<Repeat> {
  const found: Repeat[] = [];
  const pending: [number, number][] = [[0, list.length]];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const [from, to] = range;
    const best = bestIn(list, from, to, options);
    if (best === undefined) continue;
    found.push(best);
    pending.push([from, best.start], [best.start + best.period * best.count, to]);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The repeat of a range that saves the most; of several the one with the shortest stretch. */
function bestIn(
  list: ReadonlyArray<number>,
  from: number,
  to: number,
  options: RepeatOptions,
): Repeat | undefined {
  let best: Repeat | undefined;
  let saved = 0;
  for (let period = 1; period <= Math.min(options.maxPeriod, (to - from) / 2); period++) {
    let equal = 0;
    for (let i = from; i + period <= to; i++) {
      const isEqual = i + period < to && list[i] === list[i + period];
      if (!isEqual && equal >= period) {
        const repeat = aligned(i - equal, equal + period, period, options);
        const gain = (repeat.count - 1) * sizeOf(repeat, options);
        if (gain > saved) [best, saved] = [repeat, gain];
      }
      equal = isEqual ? equal + 1 : 0;
    }
  }
  return best;
}

/** The repeat of a periodic stretch of a list, begun behind an element that ends well. */
function aligned(
  start: number,
  length: number,
  period: number,
  { endsWell }: RepeatOptions,
): Repeat {
  const count = Math.floor(length / period);
  for (let at = start; at + count * period <= start + length; at++) {
    if (endsWell(at + period - 1)) return { start: at, period, count };
  }
  return { start, period, count };
}

/** The size of a stretch; none if it is too small. */
function sizeOf({ start, period }: Repeat, options: RepeatOptions): number {
  let size = 0;
  for (let i = start; i < start + period; i++) size += options.sizeOf(i);
  return size < options.leastSize ? 0 : size;
}
