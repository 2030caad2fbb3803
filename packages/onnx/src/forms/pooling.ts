/** Pools over windows, over whole images, and to a given size. */
import { isStaticDim } from '@baton/ir';
import { paddingLists, type SpatialRank } from '@baton/ops';
import { type DType, dtypeInfo, full, isFloat, shapeSize } from '@baton/tensor';
import { int, ints } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand, Written } from '../operator-api/exporter.ts';
import { viaPlainLayout } from './layout.ts';
import { around } from './padding.ts';
import { castTo, resultDims } from './types.ts';

/** The particulars of a pool over `rank` axes. */
export interface PoolForm {
  readonly opType: 'MaxPool' | 'AveragePool';
  readonly rank: SpatialRank;
}

/** The export of a pool over windows. */
export const pooling = (op: string, form: PoolForm): OnnxExporter => ({
  op,
  write: (context) => viaPlainLayout(context, op, form.rank) ?? windowed(context, form),
});

function windowed(context: CallContext, form: PoolForm): Written {
  const { attrs } = context;
  const { opType, rank } = form;
  const isMean = opType === 'AveragePool';
  const dilations = attrs.ints('dilation');
  const isDilated = dilations.some((dilation) => dilation !== 1);
  if (isMean && isDilated && !context.since(19, 'AveragePool with dilations')) return undefined;
  const pads = paddingLists(attrs.ints('padding'), rank);
  const rounding = roundedUp(context, rank);
  if (isWide(pads, attrs.ints('pool_size')) || rounding === 'beyond') return padded(context, form);
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
export const isWide = (pads: ReadonlyArray<number>, sizes: ReadonlyArray<number>): boolean =>
  pads.some((pad, i) => pad >= (sizes[i % sizes.length] ?? 1));

/**
 * Zeros that stay beside a pool: onnxruntime joins a `Pad` with the pool after it if all bytes of its
 * filler are 0, and refuses the pool that it made.
 */
const ZERO = -0;

/** The pool of data that hold their padding, and the cells that a last window lacks. */
function padded(context: CallContext, { opType, rank }: PoolForm): Written {
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
  const { call } = context;
  const dtype = context.dtype(x);
  const least = isFloat(dtype) ? Number.NEGATIVE_INFINITY : Number(dtypeInfo(dtype).min) || ZERO;
  const held = around(context, castTo(context, x, CARRIERS[dtype] ?? dtype), all, least);
  const most = castTo(context, unpadded(context, 'max', held), dtype);
  // onnxruntime begins with the least finite number, which is left in windows without data.
  const inside = dtype === 'float32' ? holdData(context, x, all) : undefined;
  return inside === undefined ? most : call('where', [inside, most, context.scalar(least, dtype)]);
}

/** The mean over all cells that count: `pads`, if asked for, and none of what `all` adds to them. */
function mean(
  context: CallContext,
  x: Operand,
  pads: ReadonlyArray<number>,
  all: ReadonlyArray<number>,
): Written {
  const { attrs, call } = context;
  const dtype = context.dtype(x);
  // The mean of integers is rounded.
  if (!isFloat(dtype)) return context.fail(`ONNX has no AveragePool of ${dtype}`);
  const shares = unpadded(context, 'avg', around(context, x, all, ZERO));
  const own = attrs.bool('count_include_pad') ? pads : pads.map(() => 0);
  const rest = all.map((width, i) => width - (own[i] ?? 0));
  if (rest.every((width) => width === 0)) return shares;
  // The share of cells that count in each window; one without them has the mean 0 in any case.
  const counted = around(context, around(context, ones(context, x), own, 1), rest, ZERO);
  const cells = attrs.ints('pool_size').reduce((a, b) => a * b, 1);
  const least = 1 / cells;
  return call('divide', [shares, call('maximum', [unpadded(context, 'avg', counted), least])]);
}

/** The pool of the attributes over data that hold all cells of its windows. */
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
export function holdData(
  context: CallContext,
  x: Operand,
  pads: ReadonlyArray<number>,
): Operand | undefined {
  if (!mayBeEmpty(context, pads)) return undefined;
  const held = around(context, ones(context, x), pads, -1);
  return context.call('greater', [unpadded(context, 'max', held), 0]);
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
  const first = { begin: [0, 0], end: [1, 1], axes: [0, 1] };
  return context.call('ones_like', [context.call('strided_slice', [x], first)]);
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
 * Whether the number of windows is rounded up, and a last one may begin behind the data: ONNX drops
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

/** The export of a pool over all of each image. */
export const globalPooling = (op: string, opType: string): OnnxExporter => ({
  op,
  write: (context) => viaPlainLayout(context, op, 2) ?? context.node(opType, [context.input(0)]),
});

/** The export of a pool to a given size: of whole images, or with windows that are all alike. */
export const adaptivePooling = (op: string, { opType, rank }: PoolForm): OnnxExporter => ({
  op,
  write: (context) => viaPlainLayout(context, op, rank) ?? toSize(context, opType),
});

function toSize(context: CallContext, opType: PoolForm['opType']): Written {
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
  opType: PoolForm['opType'],
  shape: ReadonlyArray<number>,
  counts: ReadonlyArray<number>,
): Operand {
  const { call } = context;
  const reduce = opType === 'MaxPool' ? 'max' : 'mean';
  return counts.reduce((whole, count, i) => {
    const [axis, size] = [i + 2, shape[i + 2] ?? 1];
    const cells = Array.from({ length: count }, (_, cell) => {
      const begin = [Math.floor((cell * size) / count)];
      const end = [Math.ceil(((cell + 1) * size) / count)];
      const slice = call('strided_slice', [whole], { begin, end, axes: [axis] });
      return call(reduce, [slice], { axis: [axis], keepdims: true });
    });
    return call('concatenate', [cells], { axis });
  }, x);
}
