/** Pools over windows. */
import type { Attrs, Dim, Expr } from '@baton/ir';
import { type DType, dtypeInfo, isFloat } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import { reach, type Windows } from './spatial.ts';

/** The attributes of a Baton pool. */
interface PoolAttributes extends Attrs {
  readonly pool_size: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly ceil_mode: boolean;
}

/**
 * The maximum of each window.
 *
 * When rounding up, ONNX drops a last window that would begin behind the data, and Relay does not.
 * If that may happen, the pool rounds down, with the padding for exactly ONNX's windows.
 */
export function pooledMaximum(context: NodeContext, x: Expr, w: Windows, roundsUp: boolean): Expr {
  const dims = context.dimsOf(x);
  const attrs = mayDrop(dims, w, roundsUp) ? exactly(w, exactEnds(dims, w)) : plain(w, roundsUp);
  return context.call(`nn.max_pool${dims.length - 2}d`, [x], attrs);
}

/** What no maximum of a type is less than. */
export const leastOf = (dtype: DType): number =>
  isFloat(dtype) ? Number.NEGATIVE_INFINITY : Number(dtypeInfo(dtype).min);

/** The mean of each window, with or without its padding. */
export function pooledMean(
  context: NodeContext,
  x: Expr,
  w: Windows,
  roundsUp: boolean,
  countsPadding: boolean,
): Expr {
  const dims = context.dimsOf(x);
  const op = `nn.avg_pool${dims.length - 2}d`;
  if (!mayDrop(dims, w, roundsUp)) {
    const attrs = { ...plain(w, roundsUp), count_include_pad: countsPadding };
    return context.call(op, [x], attrs);
  }
  const ends = exactEnds(dims, w);
  const own = ends.map((end, axis) => Math.min(end, endOf(w, axis)));
  if (!countsPadding || own.every((end, axis) => end === ends[axis])) {
    return context.call(op, [x], { ...exactly(w, ends), count_include_pad: countsPadding });
  }
  // Cells beyond the node's own padding do not count, so that padding becomes data.
  const begins = w.pads.slice(0, ends.length);
  const widths = [[0, 0], [0, 0], ...own.map((end, axis) => [begins[axis] ?? 0, end])];
  const zero = context.scalar(0, context.dtypeOf(x));
  const padded = context.call('nn.pad', [x, zero], { pad_width: widths });
  const rest = ends.map((end, axis) => end - (own[axis] ?? 0));
  const attrs = exactly({ ...w, pads: begins.map(() => 0) }, rest);
  return context.call(op, [padded], { ...attrs, count_include_pad: false });
}

/** The sum of each window of `x`, whose padding is 0. */
export function pooledSum(context: NodeContext, x: Expr, w: Windows, roundsUp: boolean): Expr {
  const dims = context.dimsOf(x);
  const attrs = roundsUp ? exactly(w, exactEnds(dims, w)) : plain(w, false);
  const mean = context.call(`nn.avg_pool${dims.length - 2}d`, [x], {
    ...attrs,
    count_include_pad: true,
  });
  const cells = w.kernel.reduce((a, b) => a * b, 1);
  return context.call('multiply', [mean, cells]);
}

const plain = (w: Windows, roundsUp: boolean): PoolAttributes => ({
  pool_size: w.kernel,
  strides: w.strides,
  dilation: w.dilations,
  padding: w.pads,
  ceil_mode: roundsUp,
});

/** Windows that fit exactly into this padding behind the data. */
const exactly = (w: Windows, ends: ReadonlyArray<number>): PoolAttributes => ({
  ...plain(w, false),
  padding: [...w.pads.slice(0, ends.length), ...ends],
});

/** Whether rounding up may add a window that begins behind the data. */
const mayDrop = (dims: ReadonlyArray<Dim>, w: Windows, roundsUp: boolean): boolean =>
  roundsUp && dims.slice(2).some((size, axis) => beginsBehind(size, w, axis));

/** The padding behind an axis. */
const endOf = (w: Windows, axis: number): number => w.pads[w.pads.length / 2 + axis] ?? 0;

/** Whether a window begins behind the data for some value of an unknown size. */
function beginsBehind(size: Dim, w: Windows, axis: number): boolean {
  const stride = w.strides[axis] ?? 1;
  if (typeof size !== 'number') return endOf(w, axis) + stride > reach(w, axis);
  const data = size + (w.pads[axis] ?? 0);
  return Math.ceil((data + endOf(w, axis) - reach(w, axis)) / stride) * stride >= data;
}

/**
 * The padding behind each axis for exactly ONNX's windows: with end + stride − 1 the division
 * rounds up, and with reach − 1 every window fits that begins before the end of the data. It is no
 * wider than the reach of the last window, if that is known.
 */
const exactEnds = (dims: ReadonlyArray<Dim>, w: Windows): ReadonlyArray<number> =>
  dims.slice(2).map((size, axis) => {
    const stride = w.strides[axis] ?? 1;
    const end = Math.min(endOf(w, axis) + stride, reach(w, axis)) - 1;
    if (typeof size !== 'number') return end;
    const slack = (size + (w.pads[axis] ?? 0) + end - reach(w, axis)) % stride;
    return slack > 0 ? Math.max(0, end - slack) : end;
  });
