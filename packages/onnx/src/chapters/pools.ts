/** Pools over windows, over whole images, and to a given size. */

import { type Attrs, type Dim, type Expr, isStaticDim, tensorType } from '@baton/ir';
import { paddingLists, type SpatialRank } from '@baton/ops';
import { type DType, dtypeInfo, fromNumbers, full, isFloat, shapeSize } from '@baton/tensor';
import { int, ints } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { castTo, inWide, resultDims } from '../shared/element-types.ts';
import { around, inLayout, viaPlainLayout } from '../shared/layouts.ts';
import { type Chapter, type Operands, reads, writes } from '../shared/rows.ts';
import { asInt64, equalList, listOf, placesUpTo, sizeOfAxis } from '../shared/sizes.ts';
import { padsAtRun, reach, type Windowed, type Windows, windowed } from '../shared/windows.ts';
import { concatenate, expandDims, pad, range, reshape, slice, take } from '../shared/words.ts';

export const poolOperators: Chapter = [
  reads('AveragePool', readAveragePool, { kernelSince: 1, kernelWhen: hasPadsAtRun }),
  readsGlobalPool('GlobalAveragePool', 'nn.global_avg_pool2d', 'mean'),
  reads('GlobalLpPool', readGlobalLpPool, { since: 2, kernelSince: 2 }),
  readsGlobalPool('GlobalMaxPool', 'nn.global_max_pool2d', 'max'),
  reads('LpPool', readLpPool, { since: 2, kernelSince: 2 }),
  reads('MaxPool', readMaxPool, {
    kernelSince: 1,
    kernelWhen: (context) => context.isUsed(1) || hasPadsAtRun(context),
  }),
  reads('MaxUnpool', readMaxUnpool, { kernelSince: 11, kernelReads: [2] }),
  ...([1, 2, 3] as const).flatMap((rank) => [
    writesAdaptivePool(`nn.adaptive_avg_pool${rank}d`, 'AveragePool', rank),
    writesAdaptivePool(`nn.adaptive_max_pool${rank}d`, 'MaxPool', rank),
    writesPool(`nn.avg_pool${rank}d`, 'AveragePool', rank),
    writesPool(`nn.max_pool${rank}d`, 'MaxPool', rank),
  ]),
  writes('nn.avg_pool2d_grad', writeAvgPool2dGrad),
  writesGlobalPool('nn.global_avg_pool2d', 'GlobalAveragePool'),
  writesGlobalPool('nn.global_max_pool2d', 'GlobalMaxPool'),
  writes('nn.max_pool2d_grad', writeMaxPool2dGrad),
];

function hasPadsAtRun(context: NodeContext): boolean {
  return padsAtRun(context, context.dimsOf(context.input(0)));
}

export function readAveragePool(context: NodeContext): Converted {
  const given = context.input(0);
  const over = windowed(context, given, 0);
  if (over === undefined) return undefined;
  const { x, w, isPadded } = over;
  const countsPadding = context.attributes.int('count_include_pad') !== 0;
  if (!isPadded) {
    const roundsUp = context.attributes.int('ceil_mode') !== 0;
    return pooledMean(context, x, w, roundsUp, countsPadding);
  }
  const mean = pooledMean(context, x, w, false, true);
  if (countsPadding) return mean;
  const data = windowed(context, context.formula('ones_like(?given)', { given }), 0)?.x;
  if (data === undefined) return undefined;
  const share = pooledMean(context, data, w, false, true);
  return context.formula('?mean / ?share', { mean, share });
}

function readGlobalLpPool(context: NodeContext): Converted {
  const rank = context.dimsOf(context.input(0)).length;
  if (rank < 3) return context.fail('ONNX_RANK', `expected spatial axes, found rank ${rank}`);
  const p = context.attributes.int('p');
  const values = { p, axes: range(2, rank), inverse: 1 / p };
  return inWide(context, context.input(0), (x) => {
    const text = 'power(sum(power(abs(?x), ?p), axis=?axes, keepdims=True), ?inverse)';
    return context.formula(text, { x, ...values });
  });
}

/** `LpPool`: the p-th root of the sum of p-th powers in each window; padding counts as 0. */
function readLpPool(context: NodeContext): Converted {
  const over = windowed(context, context.input(0), 0);
  const p = context.attributes.int('p');
  if (over === undefined) return undefined;
  const { x, w, isPadded } = over;
  if (p < 1) return context.fail('ONNX_ATTRIBUTE', `expected p of 1 or more, found ${p}`);
  const roundsUp = !isPadded && context.attributes.int('ceil_mode') !== 0;
  return inWide(context, x, (data) => {
    const powers = context.formula('power(abs(?data), ?p)', { data, p });
    const sum = pooledSum(context, powers, w, roundsUp);
    return context.formula('power(?sum, ?inverse)', { sum, inverse: 1 / p });
  });
}

function readMaxPool(context: NodeContext): Converted {
  const given = context.input(0);
  const over = windowed(context, given, leastOf(context.dtypeOf(given)));
  if (over === undefined) return undefined;
  const { x, w, isPadded } = over;
  const roundsUp = !isPadded && context.attributes.int('ceil_mode') !== 0;
  const pooled = pooledMaximum(context, x, w, roundsUp);
  if (!context.isUsed(1) || context.hasFailed()) return pooled;
  const columnMajor = context.attributes.int('storage_order') !== 0;
  return [pooled, maxPlaces(context, given, pooled, over, columnMajor)];
}

function readMaxUnpool(context: NodeContext): Converted {
  const { attributes } = context;
  const x = context.input(0);
  const kernel = attributes.ints('kernel_shape');
  if (kernel === undefined)
    return context.fail('ONNX_ATTRIBUTE', 'expected attribute kernel_shape');
  const strides = attributes.ints('strides') ?? kernel.map(() => 1);
  const pads = attributes.ints('pads') ?? [...kernel, ...kernel].map(() => 0);
  // A window over n places spans (n − 1) · stride + kernel of them, less its padding.
  const spans = kernel.map((cells, i) => {
    const padding = (pads[i] ?? 0) + (pads[kernel.length + i] ?? 0);
    return cells - padding - (strides[i] ?? 1);
  });
  const wanted = context.optional(2);
  const dtype = context.dtypeOf(x);
  const text = `
    %0 = shape_of(?x, dtype="int64") * ?strides + ?spans;
    %1 = dyn.full(?zero, prod(%0, axis=[0], keepdims=True), dtype=?dtype);
    %2 = reshape(?places, newshape=[-1]);
    %3 = scatter_elements(%1, %2, reshape(?x, newshape=[-1]), axis=0, reduction="update");
    %4 = dyn.reshape(%3, %0);
    ${wanted ? 'dyn.nn.pad(%4, stack((?none, ?wanted - %0), axis=1), ?zero)' : '%4'}`;
  const values = { strides: [1, 1, ...strides], spans: [0, 0, ...spans] };
  return context.formula<string>(text, {
    x,
    strides: listOf(context, values.strides),
    spans: listOf(context, values.spans),
    none: equalList(context, values.spans.length, 0),
    zero: context.scalar(0, dtype),
    dtype,
    places: context.input(1),
    wanted,
  });
}

/** `nn.avg_pool2d_grad`: the product with the matrix of means along each axis. */
function writeAvgPool2dGrad(context: CallContext, [grad, data]: Operands): Written {
  const { attrs, call } = context;
  const layout = attrs.text('layout');
  const g = inLayout(context, grad, attrs.text('out_layout') || layout, 'NCHW');
  const x = inLayout(context, data, layout, 'NCHW');
  const [shape, windows] = [context.shape(x), context.shape(g)];
  if (shape === undefined || windows === undefined) return undefined;
  const pads = paddingLists(attrs.ints('padding'), 2);
  const matrices = attrs.ints('pool_size').map((cells, i) => {
    const [size = 1, count = 1] = [shape[i + 2], windows[i + 2]];
    const [before = 0, after = 0] = [pads[i], pads[i + 2]];
    const [stride, dilation] = [attrs.ints('strides')[i] ?? 1, attrs.ints('dilation')[i] ?? 1];
    const [first, end] = attrs.bool('count_include_pad') ? [-before, size + after] : [0, size];
    context.room(count, size);
    context.room(cells);
    const shares = new Float64Array(count * size);
    for (let w = 0; w < count; w++) {
      const window = Array.from({ length: cells }, (_, k) => w * stride + k * dilation - before);
      const counted = window.filter((at) => at >= first && at < end).length;
      for (const at of window) if (at >= 0 && at < size) shares[w * size + at] = 1 / counted;
    }
    return context.constant(fromNumbers(shares, [count, size], context.dtype(x)));
  });
  const spread = call('einsum', [[g, ...matrices]], { equation: 'NChw,hH,wW->NCHW' });
  return inLayout(context, spread, 'NCHW', layout);
}

/** `nn.max_pool2d_grad`: `MaxPool` says where the maxima are, and the gradients are added there. */
function writeMaxPool2dGrad(context: CallContext, [grad, data]: Operands): Written {
  const { attrs, call } = context;
  const layout = attrs.text('layout');
  const g = inLayout(context, grad, attrs.text('out_layout') || layout, 'NCHW');
  const x = inLayout(context, data, layout, 'NCHW');
  const [shape, windows] = [context.shape(x), context.shape(g)];
  if (shape === undefined || windows === undefined) return undefined;
  const [size, strides] = [attrs.ints('pool_size'), attrs.ints('strides')];
  const dilations = attrs.ints('dilation');
  const before = paddingLists(attrs.ints('padding'), 2).slice(0, 2);
  // The padding up to the end of the last window says how their number is rounded.
  const after = before.map((pad, i) => {
    const cells = ((size[i] ?? 1) - 1) * (dilations[i] ?? 1) + 1;
    const reach = ((windows[i + 2] ?? 1) - 1) * (strides[i] ?? 1) + cells;
    return Math.max(reach - (shape[i + 2] ?? 0) - pad, 0);
  });
  // Padding as wide as the window is a part of the data, which is cut off again.
  const pads = [...before, ...after];
  const isPart = isWide(pads, size);
  const held = isPart ? around(context, x, pads, Number.NEGATIVE_INFINITY) : x;
  const [, places] = context.nodeOf(
    'MaxPool',
    [held],
    {
      kernel_shape: ints(size),
      strides: ints(strides),
      pads: ints(isPart ? pads.map(() => 0) : pads),
      ...(dilations.length === 0 ? {} : { dilations: ints(dilations) }),
    },
    [tensorType(windows, context.dtype(x)), tensorType(windows, 'int64')],
  );
  if (places === undefined) return undefined;
  const flat = (operand: typeof g) => reshape(context, operand, [-1]);
  const zeros = flat(call('zeros_like', [held]));
  const way = { axis: 0, reduction: 'add' };
  // A window of padding has no place.
  const inside = isPart ? holdData(context, x, pads) : undefined;
  const given = inside === undefined ? g : call('where', [inside, g, 0]);
  const summed = call('scatter_elements', [zeros, flat(places), flat(given)], way);
  const newshape = context.shape(held);
  if (newshape === undefined) return undefined;
  const whole = reshape(context, summed, [...newshape]);
  const [height = 1, width = 1] = shape.slice(2);
  const [top = 0, left = 0] = before;
  const part = { begin: [top, left], end: [top + height, left + width], axes: [2, 3] };
  const result = isPart ? call('strided_slice', [whole], part) : whole;
  return inLayout(context, result, 'NCHW', layout);
}

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
 * When rounding up, ONNX drops a last window that would begin past the end of the data, and Relay does not.
 * If that may happen, the pool rounds down, with the padding for exactly ONNX's windows.
 */
function pooledMaximum(context: NodeContext, x: Expr, w: Windows, roundsUp: boolean): Expr {
  const dims = context.dimsOf(x);
  const attrs = mayDrop(dims, w, roundsUp) ? exactly(w, exactEnds(dims, w)) : plain(w, roundsUp);
  return context.call(`nn.max_pool${dims.length - 2}d`, [x], attrs);
}

/** What no maximum of a type is less than. */
const leastOf = (dtype: DType): number =>
  isFloat(dtype) ? Number.NEGATIVE_INFINITY : Number(dtypeInfo(dtype).min);

function pooledMean(
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
  const padded = pad(context, x, zero, widths);
  const rest = ends.map((end, axis) => end - (own[axis] ?? 0));
  const attrs = exactly({ ...w, pads: begins.map(() => 0) }, rest);
  return context.call(op, [padded], { ...attrs, count_include_pad: false });
}

function pooledSum(context: NodeContext, x: Expr, w: Windows, roundsUp: boolean): Expr {
  const dims = context.dimsOf(x);
  const attrs = roundsUp ? exactly(w, exactEnds(dims, w)) : plain(w, false);
  const op = `nn.avg_pool${dims.length - 2}d`;
  const values = { op, x, attrs, cells: shapeSize(w.kernel) };
  return context.formula('?op(?x, count_include_pad=True, attrs=?attrs) * ?cells', values);
}

const plain = (w: Windows, roundsUp: boolean): PoolAttributes => ({
  pool_size: w.kernel,
  strides: w.strides,
  dilation: w.dilations,
  padding: w.pads,
  ceil_mode: roundsUp,
});

/** Windows that fit exactly into this padding after the data. */
const exactly = (w: Windows, ends: ReadonlyArray<number>): PoolAttributes => ({
  ...plain(w, false),
  padding: [...w.pads.slice(0, ends.length), ...ends],
});

/** Whether rounding up may add a window that begins past the end of the data. */
const mayDrop = (dims: ReadonlyArray<Dim>, w: Windows, roundsUp: boolean): boolean =>
  roundsUp && dims.slice(2).some((size, axis) => beginsPastEnd(size, w, axis));

const endOf = (w: Windows, axis: number): number => w.pads[w.pads.length / 2 + axis] ?? 0;

/** Whether, for some size, a window starts past the end of the data. */
function beginsPastEnd(size: Dim, w: Windows, axis: number): boolean {
  const stride = w.strides[axis] ?? 1;
  if (typeof size !== 'number') return endOf(w, axis) + stride > reach(w, axis);
  const data = size + (w.pads[axis] ?? 0);
  return Math.ceil((data + endOf(w, axis) - reach(w, axis)) / stride) * stride >= data;
}

/**
 * The padding after each axis for exactly ONNX's windows: with end + stride − 1 the division
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

/**
 * The index in all of `x` of each maximum of `pooled`, counted in row-major order; with
 * `columnMajor` the spatial axes count in the reverse order.
 */
function maxPlaces(
  context: NodeContext,
  x: Expr,
  pooled: Expr,
  over: Windowed,
  columnMajor: boolean,
): Expr {
  const { formula } = context;
  const { length: rank } = over.w.kernel;
  const sizes = range(0, rank + 2).map((axis) => asInt64(context, sizeOfAxis(context, x, axis)));
  const product = (of: ReadonlyArray<Expr>): Expr =>
    of.reduce((a, b) => formula('?a * ?b', { a, b }), context.scalar(1, 'int64'));
  let data = x;
  let names: Expr = context.scalar(0, 'int64');
  for (const axis of range(0, rank)) {
    const cells = cellsOf(context, x, pooled, over, axis);
    // The axis becomes two: the window, and the cell of it.
    data = take(context, data, cells, 2 * axis + 2);
    const rest = columnMajor ? sizes.slice(2, axis + 2) : sizes.slice(axis + 3);
    const along = expandDims(context, cells, 2, 2 * (rank - 1 - axis));
    names = formula('?names + ?along * ?stride', { names, along, stride: product(rest) });
  }
  const own = range(0, rank).map((axis) => 2 * axis);
  const split = [...own, ...own.map((axis) => axis + 1)];
  const [batch, channels, ...image] = sizes as [Expr, Expr, ...Expr[]];
  const text = `
    %0 = reshape(transpose(?data, axes=?axes), newshape=?windows);
    %1 = argmax(%0, axis=-1, keepdims=True);
    %2 = broadcast_to_like(reshape(transpose(?names, axes=?split), newshape=?cells), %0);
    %3 = squeeze(gather(%2, %1, axis=?last), axis=[-1]);
    %4 = reshape(?batches * ?channels, newshape=[-1, 1]) + ?own;
    %3 + expand_dims(%4 * ?image, axis=2, num_newaxis=?rank)`;
  const kept = own.map(() => 0);
  return formula(text, {
    data,
    axes: [0, 1, ...split.map((axis) => axis + 2)],
    windows: [0, 0, ...kept, -1],
    names,
    split,
    cells: [...kept, -1],
    last: rank + 2,
    batches: placesUpTo(context, batch),
    channels,
    own: placesUpTo(context, channels),
    image: product(image),
    rank,
  });
}

/**
 * The places along an axis of the cells of each window; a cell outside of the data repeats the first one
 * inside.
 */
function cellsOf(
  context: NodeContext,
  x: Expr,
  pooled: Expr,
  { w, before }: Windowed,
  axis: number,
): Expr {
  const { formula } = context;
  const dilation = w.dilations[axis] ?? 1;
  const steps = range(0, w.kernel[axis] ?? 1).map((k) => k * dilation);
  const windows = placesUpTo(context, sizeOfAxis(context, pooled, axis + 2));
  const size = sizeOfAxis(context, x, axis + 2);
  const text = `
    %0 = expand_dims(?windows * ?stride - ?before, axis=1);
    %1 = %0 + floor_divide(maximum(0 - %0, 0) + ?more, ?dilation) * ?dilation;
    %2 = %0 + ?steps;
    where(logical_and(%2 >= 0, %2 < ?size), %2, %1)`;
  const stride = w.strides[axis] ?? 1;
  const values = { windows, stride, before: before(axis), size, dilation, more: dilation - 1 };
  return formula(text, { ...values, steps: listOf(context, steps) });
}

function readsGlobalPool(opType: string, op: string, reduction: string): OnnxImporter {
  return reads(opType, (context) => globallyPooled(context, op, reduction));
}

export function globallyPooled(context: NodeContext, op: string, reduction: string): Converted {
  const x = context.input(0);
  const { length: rank } = context.dimsOf(x);
  if (rank === 4) return context.call(op, [x]);
  if (rank < 3) return context.fail('ONNX_RANK', `expected spatial axes, found rank ${rank}`);
  return context.call(reduction, [x], { axis: [...range(2, rank)], keepdims: true });
}

type PoolType = 'MaxPool' | 'AveragePool';

function writesPool(op: string, opType: PoolType, rank: SpatialRank): OnnxExporter {
  return writes(
    op,
    (context) => viaPlainLayout(context, op, rank) ?? windowedPool(context, opType, rank),
  );
}

function windowedPool(context: CallContext, opType: PoolType, rank: SpatialRank): Written {
  const { attrs } = context;
  const isMean = opType === 'AveragePool';
  const dilations = attrs.ints('dilation');
  const isDilated = dilations.some((dilation) => dilation !== 1);
  if (isMean && isDilated && !context.since(19, 'AveragePool with dilations')) return undefined;
  const pads = paddingLists(attrs.ints('padding'), rank);
  const rounding = roundedUp(context, rank);
  if (isWide(pads, attrs.ints('pool_size')) || rounding === 'beyond')
    return padded(context, opType, rank);
  return context.node(opType, [context.input(0)], {
    kernel_shape: ints(attrs.ints('pool_size')),
    strides: ints(attrs.ints('strides')),
    pads: ints(pads),
    ...(isDilated ? { dilations: ints(dilations) } : {}),
    ...(rounding === 'up' ? { ceil_mode: int(1) } : {}),
    ...(isMean ? { count_include_pad: int(attrs.bool('count_include_pad')) } : {}),
  });
}

/**
 * Whether padding is as wide as the window on some side. Runtimes refuse such a pool, and count the
 * cells of the window without its dilation.
 */
const isWide = (pads: ReadonlyArray<number>, sizes: ReadonlyArray<number>): boolean =>
  pads.some((pad, i) => pad >= (sizes[i % sizes.length] ?? 1));

/**
 * Zeros that are not merged into a pool: onnxruntime joins a `Pad` with the pool after it if all bytes of its
 * filler are 0, and refuses the pool that it made.
 */
const ZERO = -0;

/** The pool of data that hold their padding, and the cells that a last window lacks. */
function padded(context: CallContext, opType: PoolType, rank: SpatialRank): Written {
  const { attrs } = context;
  const x = context.input(0);
  const pads = paddingLists(attrs.ints('padding'), rank);
  const beyond = attrs.bool('ceil_mode') ? attrs.ints('strides').map((stride) => stride - 1) : [];
  const all = pads.map((pad, i) => pad + (beyond[i - rank] ?? 0));
  return opType === 'MaxPool' ? greatest(context, x, all) : mean(context, x, pads, all);
}

/** Floats that hold the integers of a type, for which runtimes have no `Pad` or no zero that stays. */
const CARRIERS: Readonly<Partial<Record<DType, DType>>> = {
  uint8: 'float32',
  int16: 'float32',
  uint16: 'float32',
  int32: 'float64',
  uint32: 'float64',
};

function greatest(context: CallContext, x: Operand, all: ReadonlyArray<number>): Operand {
  const dtype = context.dtype(x);
  const least = isFloat(dtype) ? Number.NEGATIVE_INFINITY : Number(dtypeInfo(dtype).min) || ZERO;
  const held = around(context, castTo(context, x, CARRIERS[dtype] ?? dtype), all, least);
  const most = castTo(context, unpadded(context, 'max', held), dtype);
  // onnxruntime begins with the least finite number, which is left in windows without data.
  const inside = dtype === 'float32' ? holdData(context, x, all) : undefined;
  return inside ? context.formula('where(?inside, ?most, ?least)', { inside, most, least }) : most;
}

/** The mean over all cells that count: `pads`, if asked for, and none of what `all` adds to them. */
function mean(
  context: CallContext,
  x: Operand,
  pads: ReadonlyArray<number>,
  all: ReadonlyArray<number>,
): Written {
  const { attrs } = context;
  const dtype = context.dtype(x);
  // The mean of integers is rounded.
  if (!isFloat(dtype)) return context.fail(`ONNX has no AveragePool of ${dtype}`);
  const shares = unpadded(context, 'avg', around(context, x, all, ZERO));
  const own = attrs.bool('count_include_pad') ? pads : pads.map(() => 0);
  const rest = all.map((width, i) => width - (own[i] ?? 0));
  if (rest.every((width) => width === 0)) return shares;
  // The share of cells that count in each window; one without them has the mean 0 in any case.
  const cells = around(context, around(context, ones(context, x), own, 1), rest, ZERO);
  const counted = unpadded(context, 'avg', cells);
  const least = 1 / shapeSize(attrs.ints('pool_size'));
  return context.formula('?shares / maximum(?counted, ?least)', { shares, counted, least });
}

function unpadded({ attrs, call }: CallContext, kind: 'avg' | 'max', x: Operand): Operand {
  const sizes = attrs.ints('pool_size');
  return call(`nn.${kind}_pool${sizes.length}d`, [x], {
    pool_size: sizes,
    strides: attrs.value('strides'),
    dilation: attrs.value('dilation'),
    // An optimizer that joins the padding with the mean counts it.
    ...(kind === 'avg' ? { count_include_pad: true } : {}),
  });
}

/** Which windows hold data; `undefined` if all do. Sizes that are not known may leave any empty. */
function holdData(
  context: CallContext,
  x: Operand,
  pads: ReadonlyArray<number>,
): Operand | undefined {
  if (!mayBeEmpty(context, pads)) return undefined;
  const held = around(context, ones(context, x), pads, -1);
  return context.formula('?most > 0', { most: unpadded(context, 'max', held) });
}

/** Images of ones up to this many elements are constants, and so are their pools. */
const MAX_STORED = 2 ** 14;

/** An image of ones: its windows are those of each image of the data. */
function ones(context: CallContext, x: Operand): Operand {
  const [, , ...sizes] = context.dims(x);
  const known = sizes.filter(isStaticDim);
  const dtype = context.dtype(x);
  if (known.length === sizes.length && shapeSize(known) <= MAX_STORED) {
    return context.constant(full([1, 1, ...known], dtype, 1));
  }
  return context.formula('ones_like(strided_slice(?x, begin=[0, 0], end=[1, 1], axes=[0, 1]))', {
    x,
  });
}

/** Whether a window may lie in the padding, or its dilation may leave the data out. */
function mayBeEmpty({ attrs }: CallContext, pads: ReadonlyArray<number>): boolean {
  const sizes = attrs.ints('pool_size');
  const dilations = attrs.ints('dilation');
  return sizes.some((size, axis) => {
    const [before = 0, after = 0] = [pads[axis], pads[axis + sizes.length]];
    return (dilations[axis] ?? 1) > 1 || before >= size || after >= size;
  });
}

/**
 * Whether the number of windows is rounded up, and a last one may begin past the end of the data: ONNX drops
 * it, and Relay does not.
 */
function roundedUp(context: CallContext, rank: number): 'down' | 'up' | 'beyond' {
  const { attrs } = context;
  if (!attrs.bool('ceil_mode')) return 'down';
  const pads = paddingLists(attrs.ints('padding'), rank);
  const [data, result] = [context.dims(context.input(0)).slice(2), resultDims(context).slice(2)];
  let isExact = true;
  for (const [axis, stride] of attrs.ints('strides').entries()) {
    const [size, count] = [data[axis], result[axis]];
    const [before = 0, after = 0] = [pads[axis], pads[axis + rank]];
    const reach =
      ((attrs.ints('pool_size')[axis] ?? 1) - 1) * (attrs.ints('dilation')[axis] ?? 1) + 1;
    if (size === undefined || !isStaticDim(size) || count === undefined || !isStaticDim(count)) {
      isExact = false;
      if (after + stride > reach) return 'beyond';
      continue;
    }
    if ((count - 1) * stride >= size + before) return 'beyond';
    const whole = Math.floor((size + before + after - reach) / stride) + 1;
    if (whole !== count) isExact = false;
  }
  return isExact ? 'down' : 'up';
}

function writesGlobalPool(op: string, opType: string): OnnxExporter {
  return writes(op, (context, [x]) => viaPlainLayout(context, op, 2) ?? context.node(opType, [x]));
}

function writesAdaptivePool(op: string, opType: PoolType, rank: SpatialRank): OnnxExporter {
  return writes(op, (context) => viaPlainLayout(context, op, rank) ?? toSize(context, opType));
}

function toSize(context: CallContext, opType: PoolType): Written {
  const x = context.input(0);
  const counts = resultDims(context).slice(2);
  if (counts.every((count) => count === 1)) return context.node(`Global${opType}`, [x]);
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const sizes = shape.slice(2).map((size, axis) => size / Number(counts[axis]));
  if (!sizes.every(Number.isInteger)) {
    const dtype = context.dtype(x);
    // The mean of integers is rounded here, and truncated by a reduction.
    return opType === 'MaxPool' || isFloat(dtype)
      ? ofSlices(context, x, opType, shape, counts.map(Number))
      : context.fail(`ONNX has no ${opType} of ${dtype}`);
  }
  return context.node(opType, [x], { kernel_shape: ints(sizes), strides: ints(sizes) });
}

/** A pool whose windows differ in size: axis by axis, each cell is a reduction of a slice. */
function ofSlices(
  context: CallContext,
  x: Operand,
  opType: PoolType,
  shape: ReadonlyArray<number>,
  counts: ReadonlyArray<number>,
): Operand {
  const reduce = opType === 'MaxPool' ? 'max' : 'mean';
  return counts.reduce((whole, count, i) => {
    const [axis, size] = [i + 2, shape[i + 2] ?? 1];
    const cells = range(0, count).map((cell) => {
      const [begin, end] = [(cell * size) / count, ((cell + 1) * size) / count];
      const part = slice(context, whole, axis, Math.floor(begin), Math.ceil(end));
      return context.formula('?reduce(?part, axis=?axis, keepdims=True)', {
        reduce,
        part,
        axis: [axis],
      });
    });
    return concatenate(context, cells, axis);
  }, x);
}
