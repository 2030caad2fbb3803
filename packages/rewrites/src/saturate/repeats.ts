/** Repeats in a list of numbers. */

/** Equal sequences side by side: `count` of them, each of `period` elements, from `start` on. */
export interface Repeat {
  readonly start: number;
  readonly period: number;
  readonly count: number;
}

/** What a repeat must be. */
export interface RepeatOptions {
  /** The least elements of a sequence. */
  readonly leastPeriod: number;
  /** The most elements of a sequence. */
  readonly maxPeriod: number;
  /** Whether a sequence may end with an element, and the next one start after it. */
  readonly mayEnd: (index: number) => boolean;
  /** Whether it ends well there: of several places for as many sequences, the best. */
  readonly endsWell: (index: number) => boolean;
}

/** A part of a list in which each element equals the one a period before it. */
interface Run {
  readonly from: number;
  /** The index past its end. */
  readonly to: number;
  readonly period: number;
}

/**
 * Repeats that do not overlap, those first that save the most; in order of their places.
 *
 * **Complexity** linear in the list, times the greatest period; and for each repeat that is found,
 * linear in the periodic parts of the list.
 */
export function repeatsIn(
  list: ReadonlyArray<number>,
  options: RepeatOptions,
): ReadonlyArray<Repeat> {
  const runs = runsIn(list, options);
  const found: Repeat[] = [];
  const pending: [number, number, ReadonlyArray<Run>][] = [[0, list.length, runs]];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const [from, to, whole] = range;
    const inside = whole.flatMap((run) => clipped(run, from, to));
    const best = bestOf(inside, options);
    if (best === undefined) continue;
    found.push(best);
    pending.push([from, best.start, inside]);
    pending.push([best.start + best.period * best.count, to, inside]);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The periodic parts of a list, those with short periods first. */
function runsIn(
  list: ReadonlyArray<number>,
  { leastPeriod, maxPeriod }: RepeatOptions,
): ReadonlyArray<Run> {
  const runs: Run[] = [];
  for (let period = leastPeriod; period <= Math.min(maxPeriod, list.length / 2); period++) {
    let equal = 0;
    for (let i = period; i <= list.length; i++) {
      if (i < list.length && list[i] === list[i - period]) equal++;
      else {
        if (equal >= period) runs.push({ from: i - equal - period, to: i, period });
        equal = 0;
      }
    }
  }
  return runs;
}

/** The part of a run in a range; none if no two sequences fit. */
function clipped(run: Run, from: number, to: number): ReadonlyArray<Run> {
  if (run.from >= from && run.to <= to) return [run];
  const part = { ...run, from: Math.max(run.from, from), to: Math.min(run.to, to) };
  return part.to - part.from >= 2 * run.period ? [part] : [];
}

/** The repeat that saves the most; of several the one with the shortest sequence. */
function bestOf(runs: ReadonlyArray<Run>, options: RepeatOptions): Repeat | undefined {
  let best: Repeat | undefined;
  let saved = 0;
  for (const run of runs) {
    if (run.to - run.from - run.period <= saved) continue;
    const repeat = aligned(run, options);
    const gain = (repeat.count - 1) * repeat.period;
    if (gain > saved) [best, saved] = [repeat, gain];
  }
  return best;
}

/** The most sequences of a run between places where they may end. */
function aligned({ from, to, period }: Run, { mayEnd, endsWell }: RepeatOptions): Repeat {
  let best: Repeat = { start: from, period, count: 0 };
  let isWell = false;
  for (let first = from; first < from + period; first++) {
    let start = first;
    for (let at = first; at <= to; at += period) {
      if (at > 0 && !mayEnd(at - 1)) {
        start = at + period;
        continue;
      }
      const count = (at - start) / period;
      const isBetter = count === best.count ? !isWell && endsWell(at - 1) : count > best.count;
      if (count === 0 || !isBetter) continue;
      best = { start, period, count };
      isWell = endsWell(at - 1);
    }
  }
  return best;
}
