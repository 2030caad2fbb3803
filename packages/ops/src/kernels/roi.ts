/** Regions of images, each resized to one size. */
import {
  heap,
  type Memory,
  type NumberData,
  shapeSize,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/** The number of cells of a region, and the pixels per unit of its coordinates. */
export interface RoiOptions {
  readonly size: readonly [height: number, width: number];
  readonly scale: number;
}

/** The samples of a cell, and how they are combined. */
export interface RoiAlignOptions extends RoiOptions {
  /** The samples of a cell along each axis; if not above 0, one for each pixel. */
  readonly samples: number;
  readonly mode: 'avg' | 'max';
}

/** One sample along an axis: two indices, and the weight of the second. */
interface Sample {
  readonly low: number;
  readonly high: number;
  readonly part: number;
}

/** The samples along an axis inside the image, and the number of all. */
interface Samples {
  readonly inside: ReadonlyArray<Sample>;
  readonly count: number;
}

/**
 * The mean or the maximum of evenly spaced samples of each cell of a region. Samples outside of the
 * image are 0. An image index out of range is clamped.
 *
 * **Shapes** x (N, C, H, W), regions (R, 5) of an image, x and y of two corners; result (R, C,
 * size…).
 *
 * **Source** He et al., "Mask R-CNN" (2017); Relay v0.14 vision.roi_align
 */
export function roiAlign(
  x: Tensor,
  regions: Tensor,
  options: RoiAlignOptions,
  memory: Memory = heap,
): Tensor {
  const [, , height = 0, width = 0] = x.shape;
  const [rows, columns] = options.size;
  const round = x.dtype === 'float64' ? Number : Math.fround;
  const along = (from: number, to: number, cells: number, size: number) =>
    samplesOf(round(from * options.scale), round(to * options.scale), cells, size, options, round);
  return overRegions(x, regions, options, memory, ([left = 0, top = 0, right = 0, bottom = 0]) => {
    const [ys, xs] = [along(top, bottom, rows, height), along(left, right, columns, width)];
    return (data, start, cell) => {
      const y = ys[Math.floor(cell / columns)] as Samples;
      return pooledSamples(data, start, width, y, xs[cell % columns] as Samples, options.mode);
    };
  });
}

function samplesOf(
  from: number,
  to: number,
  cells: number,
  size: number,
  { samples }: RoiAlignOptions,
  round: (value: number) => number,
): ReadonlyArray<Samples> {
  const length = Math.max(round(to - from), 1);
  const cell = round(length / cells);
  const count = samples > 0 ? samples : Math.ceil(cell);
  return Array.from({ length: cells }, (_, i) => {
    const first = round(from + round(i * cell));
    const place = (k: number): number => round(first + round(((k + 0.5) * cell) / count));
    // Few samples of a large cell are inside the image.
    const at = (y: number): number => Math.floor(((y - first) * count) / cell - 0.5);
    const begin = Math.max(at(-1) - 1, 0);
    // Beyond 2^53, adding 1 has no effect.
    const steps = Math.min(at(size) + 3, count) - begin;
    const inside: Sample[] = [];
    for (let step = 0; step < steps; step++) {
      const exact = place(begin + step);
      if (!(exact >= -1 && exact <= size)) continue;
      const y = Math.min(Math.max(exact, 0), size - 1);
      const low = Math.floor(y);
      inside.push({ low, high: Math.min(low + 1, size - 1), part: y - low });
    }
    return { inside, count };
  });
}

function pooledSamples(
  data: NumberData,
  start: number,
  width: number,
  y: Samples,
  x: Samples,
  mode: 'avg' | 'max',
): number {
  const count = y.count * x.count;
  const isInside = y.inside.length * x.inside.length === count;
  let total = mode === 'avg' || !isInside ? 0 : Number.NEGATIVE_INFINITY;
  for (const row of y.inside) {
    const [top, bottom] = [start + row.low * width, start + row.high * width];
    for (const { low, high, part } of x.inside) {
      const upper = between(data[top + low] as number, data[top + high] as number, part);
      const lower = between(data[bottom + low] as number, data[bottom + high] as number, part);
      const sample = between(upper, lower, row.part);
      total = mode === 'avg' ? total + sample : Math.max(total, sample);
    }
  }
  return mode === 'avg' ? total / count : total;
}

const between = (a: number, b: number, part: number): number => a * (1 - part) + b * part;

/**
 * The maximum of each cell of a region, whose edges are integers; 0 in an empty one.
 *
 * **Shapes** as of {@link roiAlign}. **Source** Girshick, "Fast R-CNN" (2015); Relay v0.14
 * vision.roi_pool
 */
export function roiPool(
  x: Tensor,
  regions: Tensor,
  options: RoiOptions,
  memory: Memory = heap,
): Tensor {
  const [, , height = 0, width = 0] = x.shape;
  const [rows, columns] = options.size;
  const round = x.dtype === 'float64' ? Number : Math.fround;
  const along = (from: number, to: number, cells: number, size: number) =>
    cellsOf(round(from * options.scale), round(to * options.scale), cells, size, round);
  return overRegions(x, regions, options, memory, ([left = 0, top = 0, right = 0, bottom = 0]) => {
    const [ys, xs] = [along(top, bottom, rows, height), along(left, right, columns, width)];
    return (data, start, cell) => {
      const [top = 0, end = 0] = ys[Math.floor(cell / columns)] ?? [];
      const [first = 0, last = 0] = xs[cell % columns] ?? [];
      if (end <= top || last <= first) return 0;
      let peak = Number.NEGATIVE_INFINITY;
      for (let row = top; row < end; row++) {
        for (let at = first; at < last; at++) {
          peak = Math.max(peak, data[start + row * width + at] as number);
        }
      }
      return peak;
    };
  });
}

/** The first index of each cell along an axis, and the index past its end. */
function cellsOf(
  from: number,
  to: number,
  cells: number,
  size: number,
  round: (value: number) => number,
): ReadonlyArray<readonly [number, number]> {
  // Halves of negative numbers round away from 0, too.
  const whole = (at: number): number => Math.sign(at) * Math.floor(Math.abs(at) + 0.5);
  const begin = whole(from);
  const cell = round(Math.max(whole(to) - begin + 1, 1) / cells);
  const inside = (at: number): number => Math.min(Math.max(at + begin, 0), size);
  // A cell that ends at an index up to a rounding error ends there.
  const epsilon = 1e-5;
  return Array.from({ length: cells }, (_, i) => [
    inside(Math.floor(round(i * cell + epsilon))),
    inside(Math.ceil(round((i + 1) * cell - epsilon))),
  ]);
}

/** The value of one cell of the plane that starts at an offset of the data. */
type CellOf = (data: NumberData, start: number, cell: number) => number;

function overRegions(
  x: Tensor,
  regions: Tensor,
  { size }: RoiOptions,
  memory: Memory,
  cellOf: (corners: ReadonlyArray<number>) => CellOf,
): Tensor {
  const [batch = 0, channels = 0, ...spatial] = x.shape;
  const [data, rows] = [loadNumbers(x, memory), toNumbers(regions, memory)];
  const [count = 0] = regions.shape;
  const [plane, cells] = [shapeSize(spatial), size[0] * size[1]];
  const shape = [count, channels, ...size];
  const out = numberBuffer(x.dtype, shapeSize(shape), memory);
  let to = 0;
  for (let r = 0; r < count; r++) {
    const [image = 0, ...corners] = Array.from(rows.subarray(5 * r, 5 * r + 5));
    const n = Math.min(Math.max(Math.trunc(image) || 0, 0), batch - 1);
    const isKnown = corners.every(Number.isFinite);
    const cellAt = isKnown ? cellOf(corners) : () => Number.NaN;
    for (let c = 0; c < channels; c++) {
      const start = (n * channels + c) * plane;
      for (let cell = 0; cell < cells; cell++) out[to++] = cellAt(data, start, cell);
    }
  }
  return finish(out, shape, x.dtype, memory);
}
