/**
 * Pooling over the spatial axes of (N, C, spatial…), of any number. NaN in a window yields NaN.
 * Averages of floats are computed in double; those of integers are truncated.
 */
import {
  type BigData,
  dtypeInfo,
  heap,
  isBig,
  isFloat,
  type Memory,
  type NumberData,
  rowMajorStrides,
  type Shape,
  scalar,
  shapeSize,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import { gridOffsets } from './copy.ts';
import { padConstant } from './pad.ts';
import { max, mean } from './reduce.ts';
import { finish, loadDense, resultBuffer } from './values.ts';

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

/** The maximum of each window; padding is −∞, or the least integer. */
export function maxPool(x: Tensor, options: PoolOptions, memory: Memory = heap): Tensor {
  const { dtype } = x;
  const least = isFloat(dtype) ? Number.NEGATIVE_INFINITY : dtypeInfo(dtype).min;
  const { padded, windows, cells, starts } = layOut(x, options, least, memory);
  return poolWindows(padded, windows, starts, () => cells, MAXIMUM, memory);
}

/** The mean of each window. A window of padding only yields 0. */
export function avgPool(x: Tensor, options: AvgPoolOptions, memory: Memory = heap): Tensor {
  const { padded, windows, cells, starts } = layOut(x, options, 0, memory);
  const counts = countedCells(x.shape.slice(2), windows, options, memory);
  const rule = averaging(isFloat(x.dtype), counts);
  return poolWindows(padded, windows, starts, () => cells, rule, memory);
}

/** The spatial axes keep size 1. */
export const globalMaxPool = (x: Tensor, memory: Memory = heap): Tensor =>
  max(x, { axes: spatialAxes(x), keepDims: true }, memory);

/** The spatial axes keep size 1. */
export const globalAvgPool = (x: Tensor, memory: Memory = heap): Tensor =>
  mean(x, { axes: spatialAxes(x), keepDims: true }, memory);

/** The maximum of elements ⌊i · in / out⌋ to ⌈(i + 1) · in / out⌉ along each axis. */
export function adaptiveMaxPool(x: Tensor, outputSize: Shape, memory: Memory = heap): Tensor {
  const { starts, cells } = adaptiveWindows(x, outputSize, memory);
  return poolWindows(x, outputSize, starts, (w) => cells[w] as Int32Array, MAXIMUM, memory);
}

/** The mean of elements ⌊i · in / out⌋ to ⌈(i + 1) · in / out⌉ along each axis. */
export function adaptiveAvgPool(x: Tensor, outputSize: Shape, memory: Memory = heap): Tensor {
  const { starts, cells } = adaptiveWindows(x, outputSize, memory);
  const counts = Float64Array.from(cells, (taps) => taps.length);
  const rule = averaging(isFloat(x.dtype), counts);
  return poolWindows(x, outputSize, starts, (w) => cells[w] as Int32Array, rule, memory);
}

function poolCounts(input: Shape, options: PoolOptions): number[] {
  const { poolSize, strides, padding, dilation, ceilMode } = options;
  return input.map((dim, i) => {
    const reach = at(dilation, i) * (at(poolSize, i) - 1) + 1;
    const room = (dim + at(padding, i) + at(padding, i + input.length) - reach) / at(strides, i);
    return Math.max((ceilMode ? Math.ceil(room) : Math.floor(room)) + 1, 0);
  });
}

/** The rule for a window: `taps` are the offsets of its elements from `start`. */
interface WindowRule {
  readonly numbers: (data: NumberData, start: number, taps: Int32Array, window: number) => number;
  readonly bigs: (data: BigData, start: number, taps: Int32Array, window: number) => bigint;
}

const MAXIMUM: WindowRule = {
  numbers: (data, start, taps) => {
    let peak = data[start + (taps[0] as number)] as number;
    for (const tap of taps) peak = Math.max(peak, data[start + tap] as number);
    return peak;
  },
  bigs: (data, start, taps) => {
    let peak = data[start + (taps[0] as number)] as bigint;
    for (const tap of taps) {
      const value = data[start + tap] as bigint;
      if (value > peak) peak = value;
    }
    return peak;
  },
};

function averaging(isFloating: boolean, counts: Float64Array): WindowRule {
  return {
    numbers: (data, start, taps, window) => {
      let total = 0;
      for (const tap of taps) total += data[start + tap] as number;
      const average = total / (counts[window] as number);
      return isFloating ? average : Math.trunc(average);
    },
    bigs: (data, start, taps, window) => {
      let total = 0n;
      for (const tap of taps) total += data[start + tap] as bigint;
      return total / BigInt(counts[window] as number);
    },
  };
}

function poolWindows(
  x: Tensor,
  windows: Shape,
  starts: Int32Array,
  tapsOf: (window: number) => Int32Array,
  rule: WindowRule,
  memory: Memory,
): Tensor {
  const data: TensorData = loadDense(x, memory);
  const planes = shapeSize(x.shape.slice(0, 2));
  const plane = shapeSize(x.shape.slice(2));
  const out = resultBuffer(x.dtype, planes * starts.length, memory);
  const apply = (isBig(x.dtype) ? rule.bigs : rule.numbers) as WindowRule['numbers'];
  let to = 0;
  for (let p = 0; p < planes; p++) {
    for (let w = 0; w < starts.length; w++) {
      const start = p * plane + (starts[w] as number);
      (out as NumberData)[to++] = apply(data as NumberData, start, tapsOf(w), w);
    }
  }
  return finish(out, [...x.shape.slice(0, 2), ...windows], x.dtype, memory);
}

/** The number of windows along each axis, and the padding that they need. */
export function poolPlaces(input: Shape, options: PoolOptions) {
  const { poolSize, strides, dilation } = options;
  const windows = poolCounts(input, options);
  const after = input.map((dim, i) => {
    const reach =
      (at(windows, i) - 1) * at(strides, i) + at(dilation, i) * (at(poolSize, i) - 1) + 1;
    return Math.max(reach - dim - at(options.padding, i), 0);
  });
  return { windows, before: options.padding.slice(0, input.length), after };
}

/** The padded input, and the offsets of windows and of the elements in one. */
export function layOut(x: Tensor, options: PoolOptions, padding: number | bigint, memory: Memory) {
  const { poolSize, strides, dilation } = options;
  const { windows, before, after } = poolPlaces(x.shape.slice(2), options);
  const isPadded = [...before, ...after].some((width) => width > 0);
  const padded = isPadded
    ? padConstant(
        x,
        { before: [0, 0, ...before], after: [0, 0, ...after] },
        scalar(padding, x.dtype, memory),
        memory,
      )
    : x;
  const steps = rowMajorStrides(padded.shape.slice(2));
  return {
    padded,
    windows,
    cells: gridOffsets(
      poolSize,
      steps.map((step, i) => step * at(dilation, i)),
      memory,
    ),
    starts: gridOffsets(
      windows,
      steps.map((step, i) => step * at(strides, i)),
      memory,
    ),
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
function adaptiveWindows(x: Tensor, outputSize: Shape, memory: Memory) {
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

const spatialAxes = (x: Tensor): number[] => x.shape.map((_, axis) => axis).slice(2);
const at = (list: Shape, index: number): number => list[index] as number;
