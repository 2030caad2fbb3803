/** Convolutions, and what undoes or widens them. */

import { addDims, type Dim, type Expr, isStaticDim, tensorType } from '@baton/ir';
import { paddingLists, SPATIAL, type SpatialRank } from '@baton/ops';
import { fromNumbers, shapeSize, type Tensor } from '@baton/tensor';
import { int, ints } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { swishOf } from '../shared/activations.ts';
import { castTo, resultDims, resultDType } from '../shared/element-types.ts';
import { around, inLayout } from '../shared/layouts.ts';
import { type Chapter, type Operands, reads, writes } from '../shared/rows.ts';
import { equalList, listOf } from '../shared/sizes.ts';
import {
  convolved,
  padsAtRun,
  reach,
  windowCells,
  windowIndices,
  windows,
} from '../shared/windows.ts';
import {
  concatenate,
  expandDims,
  pad,
  range,
  reshape,
  reshapeTo,
  slice,
  take,
  transpose,
} from '../shared/words.ts';

export const convolutionOperators: Chapter = [
  reads('CausalConvWithState', readCausalConvWithState, { kernelSince: 27 }),
  reads('Col2Im', readCol2Im, { kernelSince: 18, kernelReads: [1, 2] }),
  reads('Conv', readConv, {
    kernelSince: 1,
    kernelWhen: (context) => {
      const [dims, weight] = [0, 1].map((place) => context.dimsOf(context.input(place)));
      return padsAtRun(context, dims ?? [], weight?.slice(2));
    },
  }),
  reads('ConvTranspose', readConvTranspose, { kernelSince: 1, kernelWhen: isCutAtRun }),
  reads('DeformConv', readDeformConv, { kernelSince: 19 }),
  ...([1, 2, 3] as const).flatMap((rank) => [
    writesConvolution(`nn.conv${rank}d`, 'Conv', rank),
    writesConvolution(`nn.conv${rank}d_transpose`, 'ConvTranspose', rank),
  ]),
  writes('nn.conv2d_backward_weight', writeConv2dBackwardWeight),
  writes('nn.dilate', writeDilate),
  writes('image.dilation2d', ({ definition }) => definition()),
  writes('sliding_window', writeSlidingWindow),
];

/** `CausalConvWithState`: each channel's sums of its past, which begins with a state. */
function readCausalConvWithState(context: NodeContext): Converted {
  const [x, weight] = [context.input(0), context.input(1)];
  const [channels, , width] = context.shapeOf(weight) ?? [];
  if (channels === undefined || width === undefined) {
    return context.unknown('expected a weight of known size');
  }
  const name = context.attributes.string('activation');
  if (!['none', 'silu', 'swish'].includes(name)) {
    return context.fail('ONNX_ATTRIBUTE', `the activation function ${name} is not imported`);
  }
  const past = context.optional(3);
  const zero = context.scalar(0, context.dtypeOf(x));
  const before = [
    [0, 0],
    [0, 0],
    [width - 1, 0],
  ];
  const all = past ? concatenate(context, [past, x], 2) : pad(context, x, zero, before);
  const attrs = { groups: channels, channels, kernel_size: [width], padding: [0, 0] };
  const sums = context.call('nn.conv1d', [all, weight], attrs);
  const whole = withBias(context, sums, context.optional(2));
  const end = Number.MAX_SAFE_INTEGER;
  const present = slice(context, all, 2, width === 1 ? end : 1 - width, end);
  return [name === 'none' ? whole : swishOf(context, whole, 1), present];
}

const withBias = (context: NodeContext, x: Expr, bias: Expr | undefined): Expr =>
  bias === undefined ? x : context.call('nn.bias_add', [x, bias], { axis: 1 });

/** `Col2Im`: windows of an image, added where they overlap. */
function readCol2Im(context: NodeContext): Converted {
  const { attributes } = context;
  const [image, block] = [context.ints(1), context.ints(2)];
  const [, rows, windows] = context.dimsOf(context.input(0));
  if (image === undefined || block === undefined) return undefined;
  const ones = image.map(() => 1);
  const pads = attributes.ints('pads') ?? [...ones, ...ones].map(() => 0);
  const layout: Layout = {
    block,
    strides: attributes.ints('strides') ?? ones,
    dilations: attributes.ints('dilations') ?? ones,
    padded: image.map((size, i) => size + (pads[i] ?? 0) + (pads[image.length + i] ?? 0)),
  };
  const cells = shapeSize(block);
  context.room(...layout.block, ...layout.padded);
  const places = placesOf(layout);
  const isOther = typeof windows === 'number' && places.shape[0] !== cells * windows;
  if (isOther || (typeof rows === 'number' && rows % cells !== 0)) {
    return context.fail('ONNX_SHAPE', 'expected as many windows as fit into the image');
  }
  const begin = image.map((_, i) => pads[i] ?? 0);
  const text = `
    %0 = reshape(?x, newshape=?parts);
    %1 = zeros_like(strided_slice(%0, begin=[0], end=[1], axes=[2])) + zeros(shape=?flat, dtype=?dtype);
    %2 = scatter_elements(%1, broadcast_to_like(?places, %0), %0, axis=2, reduction="add");
    strided_slice(reshape(%2, newshape=?whole), begin=?begin, end=?end, axes=?axes)`;
  return context.formula(text, {
    x: context.input(0),
    parts: [0, -1, ...places.shape],
    flat: [shapeSize(layout.padded)],
    dtype: context.dtypeOf(context.input(0)),
    places: context.constant(places),
    whole: [0, 0, ...layout.padded],
    begin,
    end: begin.map((from, i) => from + (image[i] ?? 0)),
    axes: range(2, image.length + 2),
  });
}

interface Layout {
  readonly block: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly dilations: ReadonlyArray<number>;
  readonly padded: ReadonlyArray<number>;
}

/** The place in the image of each cell of each window: all windows for each cell. */
function placesOf({ block, strides, dilations, padded }: Layout): Tensor {
  const counts = padded.map((size, axis) => {
    const reach = (dilations[axis] ?? 1) * ((block[axis] ?? 1) - 1) + 1;
    return Math.max(0, Math.floor((size - reach) / (strides[axis] ?? 1)) + 1);
  });
  // The place along each axis for each pair of cell and window; axes are combined one by one.
  let cells: ReadonlyArray<number> = [0];
  let windows: ReadonlyArray<number> = [0];
  for (const [axis, size] of padded.entries()) {
    const along = (count: number, step: number, before: ReadonlyArray<number>) =>
      before.flatMap((place) => Array.from({ length: count }, (_, i) => place * size + i * step));
    cells = along(block[axis] ?? 1, dilations[axis] ?? 1, cells);
    windows = along(counts[axis] ?? 0, strides[axis] ?? 1, windows);
  }
  const places = cells.flatMap((cell) => windows.map((window) => cell + window));
  return fromNumbers(Float64Array.from(places), [places.length], 'int64');
}

export function readConv(context: NodeContext): Converted {
  const result = convolved(context, context.input(0), context.input(1));
  return result && withBias(context, result, context.optional(2));
}

function readConvTranspose(context: NodeContext): Converted {
  const [x, weight] = [context.input(0), context.input(1)];
  const dims = context.dimsOf(x);
  const weightShape = context.shapeOf(weight);
  const rank = dims.length - 2;
  if (weightShape === undefined) return context.unknown('expected a weight of known size');
  if (rank < 1 || rank > 3 || weightShape.length !== dims.length) {
    return context.fail('ONNX_RANK', 'expected data and a weight of one to three spatial axes');
  }
  const w = window(context, dims, weightShape.slice(2));
  if (w === undefined) return undefined;
  const attrs = { ...w, groups: context.attributes.int('group') };
  const whole = context.call(`nn.conv${rank}d_transpose`, [x, weight], attrs);
  const result = isCutAtRun(context) ? cutAtRun(context, whole, w) : whole;
  return withBias(context, result, context.optional(2));
}

function isCutAtRun({ attributes, dimsOf, input }: NodeContext): boolean {
  return attributes.has('output_shape') && !dimsOf(input(0)).slice(2).every(isStaticDim);
}

/** The part of the sums that has the stated size, which what the run cuts off before it, and zeros after it, decide. */
function cutAtRun(context: NodeContext, sums: Expr, w: Window): Expr {
  const { attributes, formula } = context;
  const rank = w.kernel_size.length;
  const sizes = attributes.ints('output_shape')?.slice(-rank) ?? [];
  const zero = context.scalar(0, context.dtypeOf(sums));
  const padded = pad(context, sums, zero, [[0, 0], [0, 0], ...sizes.map((size) => [0, size])]);
  const text = `
    %0 = strided_slice(shape_of(?sums, dtype="int64"), begin=[2], end=?end) - ?wanted;
    %1 = floor_divide(maximum(%0, 0) + ?odd, 2);
    dyn.strided_slice(?padded, %1, %1 + ?wanted, ?ones, axes=?axes)`;
  const part = formula(text, {
    sums,
    end: [rank + 2],
    wanted: listOf(context, sizes),
    odd: attributes.string('auto_pad') === 'SAME_UPPER' ? 0 : 1,
    padded,
    ones: equalList(context, rank, 1),
    axes: range(2, rank + 2),
  });
  return reshape(context, part, [0, 0, ...sizes]);
}

interface Window {
  readonly kernel_size: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly output_padding: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
}

function window(
  context: NodeContext,
  dims: ReadonlyArray<Dim>,
  weight: ReadonlyArray<number>,
): Window | undefined {
  const { attributes } = context;
  const rank = dims.length - 2;
  const autoPad = attributes.string('auto_pad');
  const isSame = autoPad === 'SAME_UPPER' || autoPad === 'SAME_LOWER';
  const w = windows(context, dims, weight, isSame ? 'VALID' : autoPad);
  const extra = attributes.ints('output_padding') ?? new Array<number>(rank).fill(0);
  const sizes = attributes.ints('output_shape')?.slice(-rank);
  if (w === undefined) return undefined;
  for (const [name, list = extra] of [['output_padding'], ['output_shape', sizes]] as const) {
    if (list.length === rank) continue;
    return context.fail('ONNX_ATTRIBUTE', `expected attribute ${name} of ${rank} numbers`);
  }
  const { kernel, strides, dilations: dilation } = w;
  const fixed = { kernel_size: kernel, strides, dilation };
  const isOpen = isCutAtRun(context);
  if (isOpen || (sizes === undefined && !isSame)) {
    const padding = isOpen ? w.pads.map(() => 0) : w.pads;
    return { ...fixed, padding, output_padding: extra };
  }
  // The size of the result is given: the excess is padding.
  const known = dims.slice(2).map(Number);
  const excess = known.map((size, i) => {
    const stride = strides[i] ?? 1;
    // A size times the stride needs the same padding for any size.
    const rest = sizes === undefined ? 0 : stride * size - (sizes[i] ?? 0);
    return reach(w, i) + (extra[i] ?? 0) - stride + rest;
  });
  const [small, large] = [
    excess.map((n) => Math.floor(Math.max(n, 0) / 2)),
    excess.map((n) => Math.ceil(Math.max(n, 0) / 2)),
  ];
  const padding = autoPad === 'SAME_UPPER' ? [...small, ...large] : [...large, ...small];
  const output_padding = extra.map((n, i) => n + Math.max(-(excess[i] ?? 0), 0));
  return { ...fixed, padding, output_padding };
}

/**
 * `DeformConv`: a convolution whose cells are moved by offsets. All windows side by side are one
 * image, sampled at the positions of a grid, which a convolution of its windows meets once.
 */
function readDeformConv(context: NodeContext): Converted {
  const { attributes, input } = context;
  const [x, weight, offset] = [0, 1, 2].map((i) => context.shapeOf(input(i)));
  if (x === undefined || weight === undefined || offset === undefined) {
    return context.unknown('expected known sizes');
  }
  if (x.length !== 4) return context.fail('ONNX_UNSUPPORTED', 'expected images of two axes');
  const [batch = 1, channels = 1] = x;
  const [, , high = 1, wide = 1] = weight;
  const [, , rows = 1, columns = 1] = offset;
  const groups = attributes.int('offset_group');
  const windows = { batch, groups, high, wide, rows, columns };
  const sampled = samples(context, windows, x);
  const given = context.optional(4);
  const mask = given && beside(context, given, windows, [batch * groups, 1]);
  const moved = mask ? context.formula('?sampled * ?mask', { sampled, mask }) : sampled;
  const image = reshape(context, moved, [batch, channels, rows * high, columns * wide]);
  const attrs = { strides: [high, wide], groups: attributes.int('group') };
  const found = context.call('nn.conv2d', [image, input(1)], attrs);
  return withBias(context, found, context.optional(3));
}

interface Windows {
  readonly batch: number;
  readonly groups: number;
  readonly high: number;
  readonly wide: number;
  readonly rows: number;
  readonly columns: number;
}

function beside(
  { formula }: NodeContext,
  x: Expr,
  { batch, groups, high, wide, rows, columns }: Windows,
  lead: ReadonlyArray<number>,
): Expr {
  const parts = [batch, groups, high, wide, rows, columns];
  const image = [...lead, rows * high, columns * wide];
  const text =
    'reshape(transpose(reshape(?x, newshape=?parts), axes=[0, 1, 4, 2, 5, 3]), newshape=?image)';
  return formula(text, { x, parts, image });
}

function samples(context: NodeContext, windows: Windows, x: ReadonlyArray<number>): Expr {
  const { attributes, formula, input } = context;
  const { batch, groups, high, wide, rows, columns } = windows;
  const [, channels = 1, height = 1, width = 1] = x;
  const pairs = reshape(context, input(2), [batch * groups, high * wide, 2, rows * columns]);
  const list = (name: string, axis: number): number | undefined => attributes.ints(name)?.[axis];
  const coordinate = (axis: 0 | 1, size: number, count: number, cells: number): Expr => {
    const one = slice(context, pairs, 2, axis, axis + 1);
    const offsets = beside(context, one, windows, [batch * groups]);
    const start = windowCells(context, {
      count,
      cells,
      stride: list('strides', axis) ?? 1,
      dilation: list('dilations', axis) ?? 1,
      start: -(list('pads', axis) ?? 0),
    });
    const shape = axis === 0 ? [start.length, 1] : [1, start.length];
    const own = context.constant(fromNumbers(start, shape, context.dtypeOf(input(2))));
    // The middles of cells, from −1 to 1 at the borders of the image.
    const text = '(?offsets + ?own) * ?scale + ?first';
    return formula(text, { offsets, own, scale: 2 / size, first: 1 / size - 1 });
  };
  const [y, at] = [coordinate(0, height, rows, high), coordinate(1, width, columns, wide)];
  const parted = [batch * groups, channels / groups, height, width];
  const data = reshape(context, input(0), parted);
  const text = 'image.grid_sample(?data, stack((?at, ?y), axis=1), align_corners=False)';
  return formula(text, { data, at, y });
}

/** `nn.conv2d_backward_weight`: a `Conv` in which batches are channels. */
function writeConv2dBackwardWeight(context: CallContext, [grad, data]: Operands): Written {
  const { attrs } = context;
  const dtype = resultDType(context);
  const g = inLayout(context, castTo(context, grad, dtype), attrs.text('data_layout'), 'NCHW');
  const x = inLayout(context, castTo(context, data, dtype), attrs.text('kernel_layout'), 'NCHW');
  const [shape, outputs] = [context.shape(x), context.shape(g)?.[1]];
  if (shape === undefined || outputs === undefined) return undefined;
  const [batch = 1, channels = 1, ...sizes] = shape;
  const groups = attrs.int('groups');
  const perGroup = channels / groups;
  const text = `
    %0 = transpose(reshape(?x, newshape=?parts), axes=[2, 1, 0, 3, 4]);
    %1 = reshape(%0, newshape=?images);
    %2 = transpose(?g, axes=[1, 0, 2, 3]);
    %3 = nn.conv2d(%1, %2, strides=?dilation, dilation=?strides, padding=?padding, groups=?groups);
    %4 = transpose(%3, axes=[1, 0, 2, 3]);
    strided_slice(%4, begin=[0, 0], end=?kernel_size, axes=[2, 3])`;
  const used = context.formula(text, {
    x,
    g,
    parts: [batch, groups, perGroup, ...sizes],
    images: [perGroup, groups * batch, ...sizes],
    dilation: attrs.ints('dilation'),
    strides: attrs.ints('strides'),
    padding: attrs.ints('padding'),
    groups,
    kernel_size: attrs.ints('kernel_size'),
  });
  return inLayout(context, used, 'OIHW', attrs.text('out_layout'));
}

function writeDilate(context: CallContext, [x]: Operands): Written {
  const { attrs } = context;
  const value = context.scalar(attrs.float('dilation_value'), context.dtype(x));
  if (context.shape(x) === undefined) return undefined;
  const dilated = attrs.ints('strides').reduce((data, stride, axis) => {
    const sizes = context.shape(data) ?? [];
    const size = sizes[axis] ?? 0;
    if (stride === 1 || size === 0) return data;
    const cells = expandDims(context, data, axis + 1);
    const widths = [...sizes, 1].map((_, i) => [0, i === axis + 1 ? stride - 1 : 0]);
    const wide = sizes.map((dim, i) => (i === axis ? dim * stride : dim));
    const long = reshapeTo(context, pad(context, cells, value, widths), wide);
    return slice(context, long, axis, 0, (size - 1) * stride + 1);
  }, x);
  return dilated === x ? context.node('Identity', [x]) : dilated;
}

function writeSlidingWindow(context: CallContext, [x]: Operands): Written {
  const { attrs } = context;
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [window, strides] = [attrs.ints('window_shape'), attrs.ints('strides')];
  const axis = shape.length - window.length;
  // Each axis becomes two: the index of the window, and the index in it.
  const taken = window.reduceRight((data, cells, i) => {
    const stride = strides[i] ?? 1;
    const count = Math.floor(((shape[axis + i] ?? 0) - cells) / stride) + 1;
    return take(context, data, windowIndices(context, { count, cells, stride }), axis + i);
  }, x);
  const axes = window.map((_, i) => axis + 2 * i);
  return transpose(context, taken, [...range(0, axis), ...axes, ...axes.map((at) => at + 1)]);
}

type ConvolutionType = 'Conv' | 'ConvTranspose';

function writesConvolution(op: string, opType: ConvolutionType, rank: SpatialRank): OnnxExporter {
  return writes(
    op,
    (context) => inOtherLayout(context, op, opType, rank) ?? plain(context, opType, rank),
  );
}

function inOtherLayout(
  context: CallContext,
  op: string,
  opType: ConvolutionType,
  rank: SpatialRank,
): Written {
  const { attrs } = context;
  const spatial = SPATIAL[rank];
  const [data, kernel] = [`NC${spatial}`, `${opType === 'Conv' ? 'OI' : 'IO'}${spatial}`];
  const [given, givenKernel] = [attrs.text('data_layout'), attrs.text('kernel_layout')];
  const out = attrs.text('out_layout') || given;
  if (given === data && givenKernel === kernel && out === data) return undefined;
  const x = inLayout(context, context.input(0), given, data);
  const weight = inLayout(context, context.input(1), givenKernel, kernel);
  const result = context.call(op, [x, weight], {
    ...attrs.all,
    data_layout: data,
    kernel_layout: kernel,
    out_layout: '',
  });
  return inLayout(context, result, data, out);
}

function plain(context: CallContext, opType: ConvolutionType, rank: SpatialRank): Written {
  const { attrs } = context;
  const dtype = resultDType(context);
  const x = castTo(context, context.input(0), dtype);
  const weight = castTo(context, context.input(1), dtype);
  const sizes = context.shape(weight);
  if (sizes === undefined) return undefined;
  const kernel = opType === 'Conv' ? oneRowEach(context, weight, sizes) : weight;
  const attributes = {
    kernel_shape: ints(sizes.slice(2)),
    strides: ints(attrs.ints('strides')),
    dilations: ints(attrs.ints('dilation')),
    group: int(attrs.int('groups')),
  };
  const pads = paddingLists(attrs.ints('padding'), rank);
  if (opType === 'Conv')
    return context.node(opType, [x, kernel], { ...attributes, pads: ints(pads) });
  const ends = transposedEnds(context, pads);
  const own = {
    ...attributes,
    pads: ints([...pads.slice(0, rank), ...ends.map(({ cut }) => cut)]),
    output_padding: ints(ends.map(({ extra }) => extra)),
  };
  const zeros = ends.map(({ zeros }) => zeros);
  if (zeros.every((count) => count === 0)) return context.node(opType, [x, kernel], own);
  const [batch = 1, channels = 1, ...places] = resultDims(context);
  const before = places.map((dim, axis) => addDims(dim, -(zeros[axis] ?? 0)));
  const result = context.node(
    opType,
    [x, kernel],
    own,
    tensorType([batch, channels, ...before], dtype),
  );
  return around(context, result, [...zeros.map(() => 0), ...zeros], 0);
}

/** The end of an axis of a transposed convolution: what is cut, and what is added. */
interface TransposedEnd {
  readonly cut: number;
  /** Cells of the result that the output's padding adds. */
  readonly extra: number;
  /** Cells beyond all products. */
  readonly zeros: number;
}

/**
 * The ends of the axes. Runtimes refuse an output's padding that is as wide as the stride: it takes
 * back what the padding cuts, and what is left is zeros.
 */
const transposedEnds = (
  { attrs }: CallContext,
  pads: ReadonlyArray<number>,
): ReadonlyArray<TransposedEnd> =>
  attrs.ints('output_padding').map((extra, axis, all) => {
    const cut = pads[axis + all.length] ?? 0;
    if (extra < (attrs.ints('strides')[axis] ?? 1)) return { cut, extra, zeros: 0 };
    return { cut: Math.max(cut - extra, 0), extra: 0, zeros: Math.max(extra - cut, 0) };
  });

/**
 * The weight with a row for each channel of the result. Relay also takes a weight with a row for
 * each group, which holds the channels of the group.
 */
function oneRowEach(
  context: CallContext,
  weight: Operand,
  [rows = 1, columns = 1, ...window]: ReadonlyArray<number>,
): Operand {
  const channels = resultDims(context)[1];
  if (typeof channels !== 'number' || channels === rows) return weight;
  const newshape = [channels, (rows * columns) / channels, ...window];
  return reshape(context, weight, newshape);
}
