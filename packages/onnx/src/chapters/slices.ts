/** Parts and borders: slices, splits, joins, padding. */

import { anyDim, type Dim, dimsEqual, divideDims, type Expr, isStaticDim } from '@baton/ir';
import {
  type SliceAttrs,
  type SliceBounds,
  sliceBounds,
  sliceRange,
  sliceRanges,
} from '@baton/ops';
import { fromNumbers, normalizeAxis, shapeSize, toNumbers } from '@baton/tensor';
import { int, text } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { castTo, fromFront, resultDims } from '../shared/element-types.ts';
import { type Chapter, hasOpenInput, type Operands, reads, writes } from '../shared/rows.ts';
import { inputsOf } from '../shared/sequences.ts';
import {
  asInt64,
  asScalar,
  isIntegral,
  listOf,
  sizeOfAxis,
  sizesOfInput,
} from '../shared/sizes.ts';
import {
  broadcastTo,
  cast,
  concatenate,
  expandDims,
  plus,
  range,
  rangesOf,
  reshape,
  slice,
  stack,
  take,
} from '../shared/words.ts';

export const sliceOperators: Chapter = [
  reads('Concat', readConcat, { since: 4 }),
  reads('Pad', readPad, {
    since: 2,
    kernelSince: 19,
    kernelReads: [1, 3],
    kernelWhen: (context) => {
      const isOpen = isPadOfRun(context) || context.shapeOf(context.input(0)) === undefined;
      return isOpen && context.attributes.string('mode') === 'wrap';
    },
  }),
  reads('Slice', readSlice),
  reads('Split', readSplit, {
    since: 2,
    kernelSince: 13,
    kernelReads: [1], // Places that only the run knows take many nodes to say.
    kernelWhen: (context) => partsOf(context) === 'at run' || isCutOpen(context),
  }),
  writes('concatenate', 'Concat(?x, axis=?axis)'),
  writes('dyn.nn.pad', writeDynPad),
  writes('dyn.strided_slice', writeDynStridedSlice),
  writes('nn.fifo_buffer', writeFifoBuffer),
  writes('nn.mirror_pad', writeMirrorPad),
  writes('nn.pad', writePad),
  writes('reverse', writeReverse),
  writes('reverse_sequence', writeReverseSequence),
  writes('slice_like', writeSliceLike),
  writes('split', writeSplit),
  writes('stack', writeStack),
  writes('strided_set', writeStridedSet),
  writes('strided_slice', writeStridedSlice),
];

function readConcat(context: NodeContext): Converted {
  const { attributes } = context;
  if (!attributes.has('axis')) return context.fail('ONNX_ATTRIBUTE', 'expected attribute axis');
  return concatenate(context, inputsOf(context), attributes.int('axis', 0));
}

function readPad(context: NodeContext): Converted {
  const x = context.input(0);
  const rank = context.dimsOf(x).length;
  const mode = context.attributes.string('mode');
  if (!MODES.includes(mode)) {
    return context.fail('ONNX_UNSUPPORTED', `padding in mode ${mode} is not imported`);
  }
  if (isPadOfRun(context)) {
    const pads = padsOfRun(context, rank);
    return pads && (mode === 'wrap' ? wrappedInRun : paddedInRun)(context, x, pads);
  }
  const widths = padWidths(context, rank);
  if (widths === undefined) return undefined;
  if (mode === 'wrap') return wrapped(context, x, widths);
  return context.call('nn.pad', [x, padValue(context, x)], { pad_width: widths, pad_mode: mode });
}

const MODES = ['constant', 'edge', 'reflect', 'wrap'];

const isPadOfRun = (context: NodeContext): boolean =>
  context.version >= 11 && hasOpenInput(context, [1]);

interface RunPads {
  /** The widths before all axes, then after all: `[2 · rank]`, int64. */
  readonly widths: Expr;
  readonly isPadded: (axis: number) => boolean;
}

function padsOfRun(context: NodeContext, rank: number): RunPads | undefined {
  const sizes = sizesOfInput(context, 1);
  const axes = context.ints(3)?.map((axis) => context.axis(axis, rank)) ?? range(0, rank);
  if (context.hasFailed()) return undefined;
  const count = axes.length;
  if (sizes?.length !== 2 * count) {
    return context.fail('ONNX_INPUTS', `expected ${2 * count} widths of padding`);
  }
  const pads = cast(context, context.input(1), 'int64');
  return {
    widths: context.optional(3) === undefined ? pads : ofAxes(context, pads, axes, rank),
    isPadded: (axis) => {
      const at = axes.indexOf(axis);
      return at >= 0 && (sizes[at] !== 0 || sizes[at + count] !== 0);
    },
  };
}

/** The data padded by widths that the run computes; axes without padding keep their sizes. */
function paddedInRun(context: NodeContext, x: Expr, { widths, isPadded }: RunPads): Expr {
  const dims = context.dimsOf(x);
  const text = `
    %0 = transpose(reshape(?widths, newshape=?rows), axes=[1, 0]);
    dyn.nn.pad(?x, %0, ?value, pad_mode=?mode)`;
  const made = context.formula(text, {
    widths,
    rows: [2, dims.length],
    x,
    value: padValue(context, x),
    mode: context.attributes.string('mode'),
  });
  const kept = dims.map((dim, axis) => (isStaticDim(dim) && dim > 0 && !isPadded(axis) ? dim : 0));
  return kept.some((dim) => dim > 0) ? reshape(context, made, kept) : made;
}

/** The widths before all axes, then after all, from those of some axes. */
function ofAxes(context: NodeContext, pads: Expr, axes: ReadonlyArray<number>, rank: number): Expr {
  const count = axes.length;
  const all = concatenate(context, [pads, listOf(context, [0])], 0);
  const places = range(0, 2 * rank).map((i) => {
    const at = axes.indexOf(i % rank);
    return at < 0 ? 2 * count : i < rank ? at : at + count;
  });
  return take(context, all, listOf(context, places), 0);
}

type Widths = ReadonlyArray<readonly [number, number]>;

function padWidths(context: NodeContext, rank: number): Widths | undefined {
  const fromInputs = context.version >= 11;
  const pads = fromInputs ? context.ints(1) : context.attributes.ints('pads');
  const listed = fromInputs ? context.ints(3) : undefined;
  if (context.hasFailed()) return undefined;
  const axes = listed?.map((axis) => context.axis(axis, rank)) ?? range(0, rank);
  if (pads?.length !== 2 * axes.length) {
    return context.fail('ONNX_INPUTS', `expected ${2 * axes.length} widths of padding`);
  }
  return range(0, rank).map((axis) => {
    const at = axes.indexOf(axis);
    return at < 0 ? [0, 0] : [pads[at] ?? 0, pads[at + axes.length] ?? 0];
  });
}

function padValue(context: NodeContext, x: Expr): Expr {
  const zero = context.attributes.float('value');
  const given = context.version >= 11 ? context.optional(2) : undefined;
  return given ? asScalar(context, given) : context.scalar(zero, context.dtypeOf(x));
}

/** Each axis wrapped: the padding comes from its other end. */
const wrapped = (context: NodeContext, x: Expr, widths: Widths): Expr =>
  widths.reduce(
    (data, [before, after], axis) =>
      before === 0 && after === 0 ? data : wrappedAxis(context, data, axis, [before, after]),
    x,
  );

const wrappedInRun = (context: NodeContext, x: Expr, { widths, isPadded }: RunPads): Expr => {
  const rank = context.dimsOf(x).length;
  const width = (i: number): Expr => take(context, widths, context.scalar(i, 'int64'), 0);
  return range(0, rank)
    .filter(isPadded)
    .reduce((data, axis) => wrappedAxis(context, data, axis, [width(axis), width(axis + rank)]), x);
};

function wrappedAxis(
  context: NodeContext,
  x: Expr,
  axis: number,
  [before, after]: readonly [Expr | number, Expr | number],
): Expr {
  const size = asInt64(context, sizeOfAxis(context, x, axis));
  const text = `
    %0 = arange(0i64, ?size + ?before + ?after, 1i64, dtype="int64");
    take(?x, floor_mod(%0 - ?before, ?size), axis=?axis)`;
  return context.formula(text, { x, size, before, after, axis });
}

/** `Slice`: bounds are attributes before 10, inputs from 10 on. */
function readSlice(context: NodeContext): Converted {
  if (context.version >= 10 && isSliceOfRun(context)) return sliceOfRun(context);
  const bounds = boundsOfNode(context);
  if (bounds === undefined) return undefined;
  const dims = context.dimsOf(context.input(0));
  const { starts, ends, steps } = bounds;
  const axes = axesOf(context, bounds.axes, starts.length);
  if (axes === undefined) return undefined;
  // For a start before the axis, ONNX takes its first element, and Relay none.
  const isFar = axes.some(
    (axis, i) => typeof dims[axis] !== 'number' && (steps[i] ?? 1) < 0 && (starts[i] ?? 0) < -1,
  );
  if (isFar) return context.unknown('expected known sizes to slice backwards from such a start');
  const bound = axes.map((axis, i) => {
    const [from, to, step] = [starts[i] ?? 0, ends[i] ?? 0, steps[i] ?? 1];
    const dim = dims[axis];
    return typeof dim === 'number' ? clamped(from, to, step, dim) : openBounds(from, to, step);
  });
  const begin = bound.map(([first]) => first);
  const end = bound.map(([, last]) => last);
  return context.call('strided_slice', [context.input(0)], { begin, end, strides: steps, axes });
}

/** The axes of a slice from the front, one for each start; by default the first ones. */
function axesOf(
  context: NodeContext,
  given: ReadonlyArray<number> | undefined,
  count: number,
): ReadonlyArray<number> | undefined {
  const rank = context.dimsOf(context.input(0)).length;
  const axes = (given ?? range(0, count)).map((axis) => context.axis(axis, rank));
  if (context.hasFailed()) return undefined;
  return new Set(axes).size === axes.length && axes.length === count
    ? axes
    : context.fail('ONNX_AXIS', 'expected an axis of its own for each start');
}

const isSliceOfRun = (context: NodeContext): boolean =>
  [1, 2, 4].some((index) => {
    const bound = context.optional(index);
    return bound !== undefined && context.valueOf(bound) === undefined;
  });

/** A slice whose bounds the run computes: of all of an axis, of a part from 0 on, or of any part. */
function sliceOfRun(context: NodeContext): Expr | undefined {
  const x = context.input(0);
  const dims = context.dimsOf(x);
  const [starts, ends] = [sizesOfInput(context, 1), sizesOfInput(context, 2)];
  if (context.hasFailed()) return undefined;
  if (starts === undefined || ends === undefined) {
    return context.fail('ONNX_INPUTS', 'expected as many starts as ends');
  }
  const axes = axesOf(context, context.ints(3), starts.length);
  const ones = starts.map(() => 1);
  const steps = context.sizes(4) ?? ones;
  if (axes === undefined || context.hasFailed()) return undefined;
  const isWhole = axes.every(
    (axis, i) =>
      starts[i] === 0 && steps[i] === 1 && dimsEqual(ends[i] ?? anyDim, dims[axis] ?? anyDim),
  );
  if (isWhole && context.optional(4) === undefined) return x;
  const strides = context.optional(4) ?? listOf(context, ones);
  const args = [x, context.input(1), context.input(2), strides];
  return context.call('dyn.strided_slice', args, { axes });
}

interface Bounds {
  readonly starts: ReadonlyArray<number>;
  readonly ends: ReadonlyArray<number>;
  readonly axes: ReadonlyArray<number> | undefined;
  readonly steps: ReadonlyArray<number>;
}

function boundsOfNode(context: NodeContext): Bounds | undefined {
  const fromInputs = context.version >= 10;
  const list = (name: string, index: number): ReadonlyArray<number> | undefined =>
    fromInputs ? context.ints(index) : context.attributes.ints(name);
  const [starts, ends, axes] = ['starts', 'ends', 'axes'].map((name, i) => list(name, i + 1));
  const given = fromInputs ? context.ints(4) : undefined;
  if (context.hasFailed()) return undefined;
  if (starts === undefined || starts.length !== ends?.length) {
    return context.fail('ONNX_INPUTS', 'expected as many starts as ends');
  }
  const steps = given ?? starts.map(() => 1);
  if (steps.includes(0) || steps.length !== starts.length) {
    return context.fail('ONNX_INPUTS', 'expected a step other than 0 for each start');
  }
  return { starts, ends, axes, steps };
}

type NodeRange = readonly [first: number, last: number];

/** Relay refuses a slice that begins past its end; in ONNX it has no elements. */
const EMPTY: NodeRange = [0, 0];

/** Bounds inside an axis, clamped as in ONNX; −(dim + 1) ends before its first element. */
function clamped(from: number, to: number, step: number, dim: number): NodeRange {
  const clamp = (bound: number, low: number, high: number): number =>
    Math.min(high, Math.max(low, bound < 0 ? bound + dim : bound));
  const most = step > 0 ? dim : dim - 1;
  const [first, last] = [clamp(from, 0, most), clamp(to, step > 0 ? 0 : -1, most)];
  if (dim === 0 || (last - first) * step <= 0) return EMPTY;
  return [first, last < 0 ? -(dim + 1) : last];
}

function openBounds(from: number, to: number, step: number): NodeRange {
  const isEmpty = from < 0 === to < 0 && (to - from) * step <= 0;
  return isEmpty ? EMPTY : [withinSafe(from), withinSafe(to)];
}

/** A bound beyond every axis, such as the largest int64, as an integer for attributes. */
const withinSafe = (bound: number): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(-Number.MAX_SAFE_INTEGER, bound));

function readSplit(context: NodeContext): Converted {
  const x = context.input(0);
  const axis = context.axis(context.attributes.int('axis', 0), context.dimsOf(x).length);
  if (context.hasFailed()) return undefined;
  const sizes = partsOf(context);
  if (sizes === undefined) return undefined;
  if (sizes === 'at run') return partsAtRun(context, x, axis);
  const count = typeof sizes === 'number' ? sizes : sizes.length;
  if (count === 1) return [x];
  const cut = (indices_or_sections: number | ReadonlyArray<number>): ReadonlyArray<Expr> => {
    const parts = context.call('split', [x], { indices_or_sections, axis });
    return range(0, count).map((i) => context.field(parts, i));
  };
  if (typeof sizes === 'number') return cut(sizes);
  const ranges = rangesOf(sizes);
  const end = ranges.at(-1)?.[1] ?? 0;
  const dims = context.dimsOf(x);
  const dim = dims[axis] ?? anyDim;
  if (sizes.some((size) => size < 0) || (isStaticDim(dim) && end !== dim)) {
    return context.fail('ONNX_INPUTS', `expected sizes that make up axis ${axis}`);
  }
  context.sameSize(dim, end);
  const parts = () => ranges.map(([from, to]) => slice(context, x, axis, from, to));
  // The sum of the sizes says that of an axis without a name.
  if (!isStaticDim(dim)) {
    const shape = (size: number) => dims.map((_, i) => (i === axis ? size : 0));
    return parts().map((part, i) => reshape(context, part, shape(sizes[i] ?? 0)));
  }
  // `split` has no empty parts.
  return sizes.includes(0) ? parts() : cut(ranges.slice(1).map(([from]) => from));
}

/** Whether the parts have stated sizes, and their sum has none. */
function isCutOpen(context: NodeContext): boolean {
  const dims = context.dimsOf(context.input(0));
  const dim = dims.at(context.attributes.int('axis', 0)) ?? anyDim;
  return context.version >= 13 && typeof partsOf(context) === 'object' && !isStaticDim(dim);
}

/** The sizes of the parts, or the number of equal parts, if the import knows them. */
function partsOf(context: NodeContext): ReadonlyArray<number> | number | 'at run' | undefined {
  const { attributes, version } = context;
  const dims = context.dimsOf(context.input(0));
  const axis = normalizeAxis(attributes.int('axis', 0), dims.length);
  const listed = version < 13 ? undefined : context.optional(1);
  if (listed !== undefined && context.valueOf(listed) === undefined) {
    const known = context.sizes(1)?.filter(isStaticDim);
    return known?.length === context.outputCount ? known : 'at run';
  }
  const given = version < 13 ? attributes.ints('split') : context.ints(1);
  const dim = dims[axis ?? 0];
  if (given !== undefined || context.hasFailed() || dim === undefined) return given;
  if (typeof dim === 'number') return equalSizes(context, dim);
  const count = attributes.int('num_outputs', context.outputCount);
  if (count < 1 || count !== context.outputCount) {
    return context.fail('ONNX_ATTRIBUTE', `expected ${context.outputCount} parts, found ${count}`);
  }
  const part = divideDims(dim, count);
  // Before operator set 18 the parts are equal.
  return version < 18 || (part !== undefined && isIntegral(part)) ? count : 'at run';
}

function partsAtRun(context: NodeContext, x: Expr, axis: number): ReadonlyArray<Expr> {
  const { formula } = context;
  const list = context.optional(1);
  const size = asInt64(context, sizeOfAxis(context, x, axis));
  const count = context.outputCount;
  const equal = formula('floor_divide(?size + ?more, ?count)', { size, more: count - 1, count });
  let begin: Expr = context.scalar(0, 'int64');
  return range(0, count).map((i) => {
    const part = list ? take(context, list, context.scalar(i, 'int64'), 0) : equal;
    const end = plus(context, begin, part);
    const bounds = [reshape(context, begin, [1]), reshape(context, end, [1]), listOf(context, [1])];
    begin = end;
    return context.call('dyn.strided_slice', [x, ...bounds], { axes: [axis] });
  });
}

/** Parts of equal sizes; the last one is smaller if they do not divide the axis. */
function equalSizes(context: NodeContext, dim: number): ReadonlyArray<number> | undefined {
  const count = context.attributes.int('num_outputs', context.outputCount);
  const part = Math.ceil(dim / count);
  if (count < 1 || count !== context.outputCount || part * (count - 1) > dim) {
    return context.fail('ONNX_ATTRIBUTE', `expected parts of an axis of ${dim}, found ${count}`);
  }
  return range(0, count).map((i) => Math.min(part, dim - i * part));
}

function writeDynPad(context: CallContext, [x, widths, value]: Operands): Written {
  const text = 'reshape(transpose(?widths, axes=[1, 0]), newshape=[-1])';
  return padNode(context, [x, castTo(context, context.formula(text, { widths }), 'int64'), value]);
}

function padNode(
  context: CallContext,
  [x, pads, value]: readonly [Operand, Operand, Operand],
): Operand {
  const mode = context.attrs.text('pad_mode');
  const inputs = mode === 'constant' ? [x, pads, value] : [x, pads];
  return context.node('Pad', inputs, { mode: text(mode) });
}

function writeDynStridedSlice(context: CallContext, [x]: Operands): Written {
  const bounds = context.inputs.slice(1);
  const [starts, ends, steps] = bounds.map((bound) => castTo(context, bound, 'int64'));
  const { axes } = context.attrs.all;
  const [count] = bounds[0] ? context.dims(bounds[0]) : [];
  const listed = Array.isArray(axes) ? axes.map(Number) : range(0, Number(count));
  return context.node('Slice', [x, starts, ends, context.ints(listed), steps]);
}

function writeFifoBuffer(context: CallContext, [data, buffer]: Operands): Written {
  const [added, kept] = [context.shape(data), context.shape(buffer)];
  if (added === undefined || kept === undefined) return undefined;
  const axis = fromFront(context.attrs.int('axis'), added.length);
  const [begin, size] = [added[axis] ?? 0, kept[axis] ?? 0];
  return slice(context, concatenate(context, [buffer, data], axis), axis, begin, begin + size);
}

/** `nn.mirror_pad`: with the border repeated, elements are gathered by their indices. */
function writeMirrorPad(context: CallContext, [x]: Operands): Written {
  const { attrs } = context;
  const widths = attrs.pairs('pad_width');
  if (attrs.text('mode') === 'REFLECT') {
    const zero = context.scalar(0, context.dtype(x));
    return context.call('nn.pad', [x, zero], { pad_width: widths, pad_mode: 'reflect' });
  }
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  return widths.reduce((data, [before, after], axis) => {
    const size = shape[axis] ?? 0;
    if (before === 0 && after === 0) return data;
    context.room(before + size + after);
    const places = range(-before, size + after).map((at) =>
      at < 0 ? -at - 1 : at < size ? at : 2 * size - 1 - at,
    );
    return take(context, data, context.ints(places), axis);
  }, x);
}

/** `nn.pad`: widths before all axes, then after all. */
function writePad(context: CallContext, [x, value]: Operands): Written {
  const widths = context.attrs.pairs('pad_width');
  const pads = [0, 1].flatMap((side) => widths.map((pair) => pair[side] ?? 0));
  return padNode(context, [x, context.ints(pads), value]);
}

function writeReverse(context: CallContext, [x]: Operands): Written {
  const lists = [-1, -FAR, context.attrs.int('axis'), -1].map((value) => context.ints([value]));
  return context.node('Slice', [x, ...lists]);
}

function writeReverseSequence(context: CallContext, [x, lengths]: Operands): Written {
  const rank = context.dims(x).length;
  const axis = (name: string) => int(fromFront(context.attrs.int(name), rank));
  return context.node('ReverseSequence', [x, castTo(context, lengths, 'int64')], {
    time_axis: axis('seq_axis'),
    batch_axis: axis('batch_axis'),
  });
}

function writeSliceLike(context: CallContext, [x, _like]: Operands): Written {
  const end = resultDims(context).filter(isStaticDim);
  if (end.length < context.dims(x).length) {
    return context.unknown('expected a tensor of known shape');
  }
  const begin = end.map(() => 0);
  return context.formula('strided_slice(?x, begin=?begin, end=?end)', { x, begin, end });
}

function writeSplit(context: CallContext, [x]: Operands): Written {
  const axis = fromFront(context.attrs.int('axis'), context.dims(x).length);
  const sizes = context.results.map(({ shape }) => ('_tag' in shape ? undefined : shape[axis]));
  const known = sizes.filter((size) => size !== undefined).filter(isStaticDim);
  const attributes = { axis: int(axis) };
  if (known.length === sizes.length) {
    return context.nodeOf('Split', [x, context.ints(known)], attributes, context.results);
  }
  if (typeof context.attrs.value('indices_or_sections') !== 'number') {
    return context.unknown('expected a known size of the axis that is cut');
  }
  const count = context.opset >= 18 ? { num_outputs: int(sizes.length) } : {};
  return context.nodeOf('Split', [x], { ...attributes, ...count }, context.results);
}

function writeStack(context: CallContext): Written {
  const axis = context.attrs.int('axis');
  const parts = context.fields(0).map((part) => expandDims(context, part, axis));
  return context.node('Concat', parts, { axis: int(axis) });
}

/** `strided_set` between known bounds: each element is scattered to its place. */
function writeStridedSet(context: CallContext, [x, v, begin, end, strides]: Operands): Written {
  const shape = context.shape(x);
  const lists = [begin, end, strides].map(
    ({ constant }) => constant && Array.from(toNumbers(constant)),
  );
  const [from, to, by] = lists;
  if (shape === undefined) return undefined;
  if (from === undefined || to === undefined || by === undefined) {
    return context.fail('expected known bounds');
  }
  const attrs = { begin: from, end: to, strides: by, slice_mode: 'end', axes: null } as const;
  const ranges = sliceRanges(attrs, shape) ?? [];
  const sizes = ranges.map((range) => range.size);
  if (shapeSize(sizes) > MAX_PLACES) return context.fail('too many places to list them');
  const rows = ranges.map(({ begin: first, size, stride }, axis) => {
    const row = Float64Array.from({ length: size }, (_, i) => first + i * stride);
    const along = sizes.map((_, i) => (i === axis ? size : 1));
    const places = context.constant(fromNumbers(row, along, 'int64'));
    return broadcastTo(context, places, sizes);
  });
  const places = stack(context, rows, -1);
  const updates = broadcastTo(context, v, sizes);
  return context.node('ScatterND', [x, places, updates]);
}

const MAX_PLACES = 2 ** 16;

function writeStridedSlice(context: CallContext, [x]: Operands): Written {
  const dims = context.dims(x);
  const bounds = sliceBounds(context.attrs.all as unknown as SliceAttrs, dims.length);
  const ranges = bounds.flatMap((bound, axis) => rangeOf(bound, dims[axis], axis));
  if (ranges.length === 0) return context.node('Identity', [x]);
  const lists = (['begin', 'end', 'axis', 'stride'] as const).map((name) =>
    context.ints(ranges.map((one) => one[name])),
  );
  return context.node('Slice', [x, ...lists]);
}

interface AxisRange {
  readonly axis: number;
  readonly begin: number;
  readonly end: number;
  readonly stride: number;
}

const FAR = 2 ** 31 - 1;

/** The range of one axis; none if all of it is taken. An end before the axis lies far before it. */
function rangeOf(
  bounds: SliceBounds,
  dim: Dim | undefined,
  axis: number,
): ReadonlyArray<AxisRange> {
  const { stride } = bounds;
  if (dim !== undefined && isStaticDim(dim)) {
    const range = sliceRange(dim, bounds);
    if (range === undefined || (range.begin === 0 && range.size === dim && stride === 1)) return [];
    const end = range.begin + range.size * stride;
    return [{ axis, begin: range.begin, end: end < 0 ? -FAR : end, stride }];
  }
  const isAll = (bounds.begin ?? 0) === 0 && bounds.end === undefined && stride === 1;
  const within = (bound: number): number => Math.min(FAR, Math.max(-FAR, bound));
  const begin = bounds.begin ?? (stride < 0 ? FAR : 0);
  const end = bounds.end ?? (stride < 0 ? -FAR : FAR);
  return isAll ? [] : [{ axis, begin: within(begin), end: within(end), stride }];
}
