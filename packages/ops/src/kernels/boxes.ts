/**
 * Bounding boxes in images: selection by score, and suppression of boxes that overlap better ones.
 *
 * **Source** Relay v0.14 vision.get_valid_counts, vision.non_max_suppression and
 * vision.all_class_non_max_suppression.
 */
import {
  fromNumbers,
  heap,
  type Memory,
  type NumberData,
  shapeSize,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/** The columns of a row's score, its class (none below 0) and its first corner. */
export interface RowLayout {
  readonly score: number;
  readonly id: number;
  readonly corner: number;
}

/**
 * Puts first the rows of each batch whose score is above a threshold and whose class is not
 * negative; the rest is −1.
 *
 * **Shapes** data (B, N, K), results (B), (B, N, K), (B, N).
 */
export function validRows(
  data: Tensor,
  threshold: number,
  { score, id }: Omit<RowLayout, 'corner'>,
  memory: Memory = heap,
): readonly [counts: Tensor, rows: Tensor, places: Tensor] {
  const [batch = 0, boxes = 0, width = 0] = data.shape;
  const numbers = loadNumbers(data, memory);
  const rows = numberBuffer(data.dtype, shapeSize(data.shape), memory).fill(-1);
  const places = memory.take('int32', batch * boxes).fill(-1);
  const counts = new Array<number>(batch).fill(0);
  for (let b = 0; b < batch; b++) {
    let count = 0;
    for (let n = 0; n < boxes; n++) {
      const from = (b * boxes + n) * width;
      const isValid = (numbers[from + score] as number) > threshold;
      if (!isValid || (id >= 0 && !((numbers[from + id] as number) >= 0))) continue;
      const to = b * boxes + count++;
      copyRow(numbers, from, rows, to * width, width);
      places[to] = n;
    }
    counts[b] = count;
  }
  return [
    fromNumbers(counts, [batch], 'int32', memory),
    finish(rows, data.shape, data.dtype, memory),
    finish(places, [batch, boxes], 'int32', memory),
  ];
}

export interface SuppressionOptions extends RowLayout {
  /** The most boxes of a batch that are kept; below 0, all. */
  readonly most: number;
  /** The overlap from which a box is suppressed; without effect unless it is above 0. */
  readonly threshold: number;
  /** Whether boxes also suppress those of other classes. */
  readonly force: boolean;
  /** The number of best boxes that are considered, if above 0. */
  readonly top: number;
}

/** The rows after suppression and their indices, −1 for a suppressed row. */
export interface Suppressed {
  readonly rows: NumberData;
  /** The index among the rows of the batch before sorting. */
  readonly places: Int32Array;
}

/**
 * The valid rows of each batch, sorted by score; those that overlap a better one, and those past a
 * limit, are −1. A row whose score is not above 0 is kept and ignored.
 *
 * **Complexity** the square of the number of kept rows, times the number of rows.
 */
export function suppressed(
  data: Tensor,
  counts: Tensor,
  options: SuppressionOptions,
  memory: Memory = heap,
): Suppressed {
  const [batch = 0, boxes = 0, width = 0] = data.shape;
  const numbers = loadNumbers(data, memory);
  const valid = toNumbers(counts, memory);
  const rows = numberBuffer(data.dtype, shapeSize(data.shape), memory).fill(-1);
  const places = memory.take('int32', batch * boxes).fill(-1);
  for (let b = 0; b < batch; b++) {
    const count = Math.min(Math.max(valid[b] as number, 0), boxes);
    const first = b * boxes;
    const scores = (n: number): number => numbers[(first + n) * width + options.score] as number;
    const isOrdered = options.threshold > 0;
    const order = Array.from({ length: count }, (_, n) => n);
    if (isOrdered) order.sort((m, n) => descending(scores(m), scores(n)));
    const looked = isOrdered && options.top > 0 ? order.slice(0, options.top) : order;
    looked.forEach((n, to) => {
      copyRow(numbers, (first + n) * width, rows, (first + to) * width, width);
      places[first + to] = n;
    });
    if (isOrdered) suppress({ rows, places }, first, looked.length, width, options);
  }
  return { rows, places };
}

/** Suppresses rows of one batch, which are sorted. */
function suppress(
  { rows, places }: Suppressed,
  first: number,
  count: number,
  width: number,
  { score, id, corner, most, threshold, force }: SuppressionOptions,
): void {
  const at = (row: number, column: number): number => rows[row * width + column] as number;
  const kept: number[] = [];
  const isBeaten = (row: number): boolean =>
    kept.some(
      (better) =>
        (id < 0 || (at(better, id) >= 0 && (force || at(better, id) === at(row, id)))) &&
        overlap(rows, row * width + corner, better * width + corner) >= threshold,
    );
  for (let row = first; row < first + count; row++) {
    const isFull = kept.length === most;
    if (!isFull && !(at(row, score) > 0)) continue;
    if (!isFull && !isBeaten(row)) {
      kept.push(row);
      continue;
    }
    rows.fill(-1, row * width, (row + 1) * width);
    places[row] = -1;
  }
}

export interface ClassesOptions {
  /** The most boxes of a class that are kept; all unless it is above 0. */
  readonly most: number;
  readonly threshold: number;
  readonly score: number;
}

/**
 * The kept boxes, best first, for each batch and class. Nothing is kept unless the threshold is
 * above 0.
 *
 * **Shapes** boxes (B, N, 4), scores (B, C, N), result B · C lists.
 */
export function keptOfClasses(
  boxes: Tensor,
  scores: Tensor,
  { most, threshold, score: least }: ClassesOptions,
  memory: Memory = heap,
): ReadonlyArray<ReadonlyArray<number>> {
  const [batch = 0, classes = 0, count = 0] = scores.shape;
  const [corners, numbers] = [loadNumbers(boxes, memory), loadNumbers(scores, memory)];
  return Array.from({ length: batch * classes }, (_, i) => {
    if (!(threshold > 0)) return [];
    const first = Math.floor(i / classes) * count;
    const scoreOf = (n: number): number => numbers[i * count + n] as number;
    const order = Array.from({ length: count }, (__, n) => n)
      .filter((n) => scoreOf(n) > least && scoreOf(n) > -1)
      .sort((m, n) => descending(scoreOf(m), scoreOf(n)));
    const kept: number[] = [];
    for (const n of order) {
      if (most > 0 && kept.length >= most) break;
      // Only boxes of positive scores are suppressed.
      const isBeaten =
        scoreOf(n) > 0 &&
        kept.some((m) => overlap(corners, (first + n) * 4, (first + m) * 4) >= threshold);
      if (!isBeaten) kept.push(n);
    }
    return kept;
  });
}

/** The intersection over union of two boxes, each with any two opposite corners. */
export function overlap(data: NumberData, a: number, b: number): number {
  const side = (axis: 0 | 1): readonly [common: number, ofA: number, ofB: number] => {
    const [a0, a1] = [data[a + axis] as number, data[a + axis + 2] as number];
    const [b0, b1] = [data[b + axis] as number, data[b + axis + 2] as number];
    const low = Math.max(Math.min(a0, a1), Math.min(b0, b1));
    const high = Math.min(Math.max(a0, a1), Math.max(b0, b1));
    return [Math.max(0, high - low), Math.abs(a1 - a0), Math.abs(b1 - b0)];
  };
  const [x, y] = [side(0), side(1)];
  const common = x[0] * y[0];
  const either = x[1] * y[1] + x[2] * y[2] - common;
  return either <= 0 ? 0 : common / either;
}

/** Sorts scores in descending order, with NaN as the least. */
const descending = (a: number, b: number): number =>
  Number.isNaN(a) || Number.isNaN(b)
    ? Number(Number.isNaN(a)) - Number(Number.isNaN(b))
    : Math.sign(b - a);

function copyRow(
  from: NumberData,
  start: number,
  to: NumberData,
  place: number,
  width: number,
): void {
  for (let k = 0; k < width; k++) to[place + k] = from[start + k] as number;
}
