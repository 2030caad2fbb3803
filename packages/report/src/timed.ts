/** A time measured several times, with its spread. */

/** Milliseconds: the median, the least and the greatest of some samples. */
export interface Timed {
  readonly ms: number;
  readonly low: number;
  readonly high: number;
  readonly samples: number;
}

export function timedOf(samples: ReadonlyArray<number>): Timed {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? 0;
  const middle = sorted.length >> 1;
  const ms = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { ms, low: at(0), high: at(sorted.length - 1), samples: sorted.length };
}

/** Whether every sample of the second is above every one of the first. */
export const isSlower = (before: Timed, after: Timed): boolean => after.low > before.high;

/** Whether every sample of the second is below every one of the first. */
export const isFaster = (before: Timed, after: Timed): boolean => after.high < before.low;
