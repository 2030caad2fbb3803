/**
 * Pooling over the spatial axes of (N, C, spatial…), of any number. NaN in a window yields NaN.
 * Averages of floats are computed in double; those of integers are truncated.
 */
import {
  broadcastView,
  dense,
  heap,
  type Memory,
  rowMajorStrides,
  type Shape,
  scalar,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import type { Fold } from '../scalar/folds.ts';
import { gridOffsets } from './copy.ts';
import { cellsLoop } from './loops.ts';
import { type Border, padConstant } from './pad.ts';
import { dividing } from './reduce.ts';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/** One number per spatial axis. */
export interface PoolOptions {
  readonly poolSize: Shape;
  readonly strides: Shape;
  /** First before each axis, then after each axis. */
  readonly padding: Shape;
  readonly dilation: Shape;
  /** Whether a last window that does not fit counts: its missing elements are padding. */
  readonly ceilMode: boolean;
}

export interface AvgPoolOptions extends PoolOptions {
  /**
   * Divide by the number of elements of the window in the padded input, not only by those outside
   * of the padding. Elements of a last window past the padding never count.
   */
  readonly countIncludePad: boolean;
}

/** Windows that slide over the last axes. */
export interface Windows {
  readonly counts: Shape;
  readonly sizes: Shape;
  readonly strides: Shape;
  readonly dilation: Shape;
}

/** Windows of padded data. */
export interface Sliding {
  readonly windows: Windows;
  readonly padding?: Border | undefined;
}

/** The padding holds the start value of the reduction. */
export interface WindowFold extends Sliding {
  readonly fold: Fold;
  /** Divisors of the final state, as float64, which broadcast against the result. */
  readonly divisor?: Tensor;
}

/** Reduces each window of the padded data. */
export function slide(
  x: Tensor,
  { fold, windows, padding, divisor }: WindowFold,
  memory: Memory = heap,
): Tensor {
  const { padded, cells, ...places } = layOut(x, { windows, padding }, fold.start, memory);
  const divisors = divisor && dense(broadcastView(divisor, windows.counts), memory).data;
  return foldWindows(padded, places, () => cells, fold, divisors as Float64Array, memory);
}

/** Reduces elements ⌊i · in / out⌋ to ⌈(i + 1) · in / out⌉ along each axis. */
export function slideEvenly(
  x: Tensor,
  counts: Shape,
  { fold, isMean }: { readonly fold: Fold; readonly isMean: boolean },
  memory: Memory = heap,
): Tensor {
  const { starts, cells } = evenWindows(x, counts, memory);
  const divisors = isMean ? Float64Array.from(cells, (taps) => taps.length) : undefined;
  const cellsOf = (window: number): Int32Array => cells[window] as Int32Array;
  return foldWindows(x, { counts, starts }, cellsOf, fold, divisors, memory);
}

/** Reduces the elements of each window: their offsets from its start, in each plane of the data. */
function foldWindows(
  x: Tensor,
  { counts, starts }: { readonly counts: Shape; readonly starts: Int32Array },
  cellsOf: (window: number) => Int32Array,
  { start: initial, step }: Fold,
  divisors: Float64Array | undefined,
  memory: Memory,
): Tensor {
  // Numbers or bigints by the dtype; the loop is the same.
  const data = loadNumbers(x, memory);
  const lead = x.shape.slice(0, x.shape.length - counts.length);
  const plane = shapeSize(x.shape.slice(lead.length));
  const out = numberBuffer(x.dtype, shapeSize(lead) * starts.length, memory);
  // A state of booleans is their number.
  const run = cellsLoop(step, x.dtype === 'bool' ? 'int32' : x.dtype, data);
  const divided = divisors && dividing(x.dtype);
  for (let to = 0; to < out.length; to++) {
    const window = to % starts.length;
    const start = ((to - window) / starts.length) * plane + (starts[window] as number);
    const state = run(initial as number, data, start, cellsOf(window));
    out[to] = divided ? divided(state, divisors[window] as number) : state;
  }
  return finish(out, [...lead, ...counts], x.dtype, memory);
}

/** The number of windows along each axis; `padding` is first before each axis, then after each. */
export const windowCounts = (
  input: Shape,
  sizes: Shape,
  { strides, padding, dilation }: Pick<PoolOptions, 'strides' | 'padding' | 'dilation'>,
  round: (count: number) => number = Math.floor,
): Shape =>
  input.map((dim, i) => {
    const reach = at(dilation, i) * (at(sizes, i) - 1) + 1;
    const room = dim + at(padding, i) + at(padding, i + input.length) - reach;
    return Math.max(round(room / at(strides, i)) + 1, 0);
  });

/** The windows of a pool of (N, C, spatial…), and the padding that they need. */
export function slidingWindows(shape: Shape, options: PoolOptions): Sliding {
  const { poolSize: sizes, strides, dilation } = options;
  const input = shape.slice(2);
  const counts = windowCounts(input, sizes, options, options.ceilMode ? Math.ceil : Math.floor);
  const before = options.padding.slice(0, input.length);
  const after = input.map((dim, i) => {
    const reach = (at(counts, i) - 1) * at(strides, i) + at(dilation, i) * (at(sizes, i) - 1) + 1;
    return Math.max(reach - dim - at(before, i), 0);
  });
  const isPadded = [...before, ...after].some((width) => width > 0);
  const padding = { before: [0, 0, ...before], after: [0, 0, ...after] };
  return { windows: { counts, sizes, strides, dilation }, ...(isPadded && { padding }) };
}

/** The padded input, and the offsets of windows and of the elements in one. */
export function layOut(
  x: Tensor,
  { windows, padding }: Sliding,
  value: number | bigint,
  memory: Memory,
) {
  const { counts, sizes, strides, dilation } = windows;
  const padded =
    padding === undefined ? x : padConstant(x, padding, scalar(value, x.dtype, memory), memory);
  const steps = rowMajorStrides(padded.shape.slice(-counts.length));
  return {
    padded,
    counts,
    cells: gridOffsets(sizes, times(steps, dilation), memory),
    starts: gridOffsets(counts, times(steps, strides), memory),
  };
}

/** The number of counted elements of each window, at least 1. */
export function countedCells(
  input: Shape,
  windows: Shape,
  options: AvgPoolOptions,
  memory: Memory = heap,
): Float64Array {
  const perAxis = input.map((dim, i) => {
    const first = options.countIncludePad ? -at(options.padding, i) : 0;
    const end = options.countIncludePad ? dim + at(options.padding, i + input.length) : dim;
    return Array.from({ length: at(windows, i) }, (_, w) => {
      let count = 0;
      for (let k = 0; k < at(options.poolSize, i); k++) {
        const cell =
          w * at(options.strides, i) + k * at(options.dilation, i) - at(options.padding, i);
        if (cell >= first && cell < end) count++;
      }
      return count;
    });
  });
  let counts = [1];
  for (const axis of perAxis) counts = counts.flatMap((outer) => axis.map((own) => outer * own));
  const atLeastOne = memory.take('float64', counts.length);
  atLeastOne.set(counts.map((count) => Math.max(count, 1)));
  return atLeastOne;
}

/** The first offset of each window, and those of its elements from there, in row-major order. */
function evenWindows(x: Tensor, outputSize: Shape, memory: Memory) {
  const input = x.shape.slice(2);
  const steps = rowMajorStrides(input);
  let boxes: { start: number; lengths: number[] }[] = [{ start: 0, lengths: [] }];
  outputSize.forEach((size, axis) => {
    const dim = at(input, axis);
    boxes = boxes.flatMap((box) =>
      Array.from({ length: size }, (_, i) => {
        const first = Math.floor((i * dim) / size);
        const end = Math.ceil(((i + 1) * dim) / size);
        return {
          start: box.start + first * at(steps, axis),
          lengths: [...box.lengths, end - first],
        };
      }),
    );
  });
  return {
    starts: Int32Array.from(boxes, (box) => box.start),
    cells: boxes.map((box) => gridOffsets(box.lengths, steps, memory)),
  };
}

const times = (a: Shape, b: Shape): Shape => a.map((factor, i) => factor * at(b, i));
const at = (list: Shape, index: number): number => list[index] as number;
