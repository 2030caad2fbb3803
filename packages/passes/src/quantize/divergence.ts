/** The range of numbers of which a few bits keep the distribution best. */

/** The bins of the distribution; odd, so that 0 is in the middle of one. */
const BINS = 8_001;

/** The amount that empty bins get from the others, so that the divergence is finite. */
const SMOOTH = 1e-4;

/**
 * The largest number of the range, from its negative to it, that loses least: the numbers within it
 * in `levels` steps have the least divergence from all numbers brought within it.
 *
 * **Complexity** linear in the numbers, and in the bins that have some for each of the ranges.
 * **Source** Migacz, 8-bit Inference with TensorRT, 2017; as Relay v0.16 finds scales.
 */
export function leastDivergence(numbers: ArrayLike<number>, levels: number): number {
  const most = largestOf(numbers);
  if (most === 0 || levels >= BINS) return most;
  const bins = binsOf(numbers, most);
  const middle = (BINS - 1) / 2;
  let [best, threshold] = [Number.POSITIVE_INFINITY, most];
  for (let reach = (levels - 1) / 2; reach <= middle; reach++) {
    const stop = middle + reach + 1;
    const found = divergenceWithin(bins, middle - reach, stop, levels);
    if (found < best) [best, threshold] = [found, ((2 * stop) / BINS - 1) * most];
  }
  return threshold;
}

export function largestOf(numbers: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) most = Math.max(most, Math.abs(numbers[i] as number));
  return most;
}

/** How many numbers are in each bin, and in all before it; and how many of those bins have some. */
interface Bins {
  readonly counts: Float64Array;
  readonly before: Float64Array;
  readonly filledBefore: Float64Array;
  /** The bins that have some. */
  readonly filled: ReadonlyArray<number>;
}

function binsOf(numbers: ArrayLike<number>, most: number): Bins {
  const counts = new Float64Array(BINS);
  for (let i = 0; i < numbers.length; i++) {
    const at = Math.floor((((numbers[i] as number) + most) / (2 * most)) * BINS);
    const bin = Math.min(Math.max(at, 0), BINS - 1);
    counts[bin] = (counts[bin] as number) + 1;
  }
  const [before, filledBefore] = [new Float64Array(BINS + 1), new Float64Array(BINS + 1)];
  const filled: number[] = [];
  for (const [bin, count] of counts.entries()) {
    before[bin + 1] = (before[bin] as number) + count;
    filledBefore[bin + 1] = (filledBefore[bin] as number) + Math.sign(count);
    if (count > 0) filled.push(bin);
  }
  return { counts, before, filledBefore, filled };
}

/** The divergence of the bins from `start` to `stop`, in steps, from all numbers clipped so. */
function divergenceWithin(bins: Bins, start: number, stop: number, levels: number): number {
  const { counts, before, filledBefore, filled } = bins;
  const total = before[BINS] as number;
  const last = stop - 1;
  const below = before[start + 1] as number;
  const above = total - (before[last] as number);
  // The bins that have some: the ends, and those between them.
  const [from, to] = [filledBefore[start + 1] as number, filledBefore[last] as number];
  const at = [
    ...(below > 0 ? [start] : []),
    ...filled.slice(from, to),
    ...(above > 0 && last > start ? [last] : []),
  ];
  const spread = spreadOver(bins, at, start, stop, levels);
  let [sum, steps] = [0, 0];
  for (const step of spread) {
    sum += step;
    if (step > 0) steps++;
  }
  const size = stop - start;
  const [ofAll, ofSteps] = [smoothing(at.length, size), smoothing(steps, size)];
  if (ofAll === undefined || ofSteps === undefined) return Number.POSITIVE_INFINITY;
  // Bins that are empty in both.
  let found = (size - at.length) * (SMOOTH / total) * Math.log(sum / total);
  for (let i = 0; i < at.length; i++) {
    const bin = at[i] as number;
    const step = spread[i] as number;
    const count = bin === start ? below : bin === last ? above : (counts[bin] as number);
    const p = (count - ofAll) / total;
    const q = (step > 0 ? step - ofSteps : SMOOTH) / sum;
    if (p > 0 && q > 0) found += p * Math.log(p / q);
  }
  return found;
}

/** The amount that a filled bin cedes to empty ones; `undefined` if it is too large. */
function smoothing(filled: number, size: number): number | undefined {
  const given = (SMOOTH * (size - filled)) / filled;
  return filled === 0 || given >= 1 ? undefined : given;
}

/** The share of each bin of `at` if a step's numbers are spread evenly over its filled bins. */
function spreadOver(
  { before, filledBefore }: Bins,
  at: ReadonlyArray<number>,
  start: number,
  stop: number,
  levels: number,
): Float64Array {
  const size = Math.floor((stop - start) / levels);
  const spread = new Float64Array(at.length);
  let [end, each] = [start, 0];
  for (let i = 0; i < at.length; i++) {
    const bin = at[i] as number;
    if (bin >= end) {
      const level = Math.min(Math.floor((bin - start) / size), levels - 1);
      // The first bin has no numbers of its own.
      const from = Math.max(start + level * size, start + 1);
      end = level === levels - 1 ? stop : start + (level + 1) * size;
      const filled = (filledBefore[end] as number) - (filledBefore[from] as number);
      each = filled === 0 ? 0 : ((before[end] as number) - (before[from] as number)) / filled;
    }
    spread[i] = each;
  }
  return spread;
}
