/** Convolutions, and what undoes or widens them. */

import { addDims, type Dim, type Expr, tensorType } from '@baton/ir';
import { paddingLists, SPATIAL, type SpatialRank } from '@baton/ops';
import { fromNumbers, shapeSize, type Tensor } from '@baton/tensor';
import { int, ints } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { swishOf } from '../shared/activations.ts';
import { castTo, resultDims, resultDType } from '../shared/element-types.ts';
import { around, inLayout } from '../shared/layouts.ts';
import { type Chapter, reads, writes } from '../shared/rows.ts';
import { convolved, padsAtRun } from '../shared/windows.ts';
import {
  broadcastTo,
  concatenate,
  expandDims,
  pad,
  reshape,
  reshapeTo,
  slice,
  stack,
  take,
  transpose,
} from '../shared/words.ts';

/** The rows of this chapter. */
export const convolutionOperators: Chapter = [
  reads('CausalConvWithState', readCausalConvWithState),
  reads('Col2Im', readCol2Im),
  reads('Conv', readConv, {
    kernelSince: 1,
    kernelWhen: (context) => {
      const [dims, weight] = [0, 1].map((place) => context.dimsOf(context.input(place)));
      return padsAtRun(context, dims ?? [], weight?.slice(2));
    },
  }),
  reads('ConvTranspose', readConvTranspose),
  reads('DeformConv', readDeformConv),
  writesConvolution('nn.conv1d', 'Conv', 1),
  writesConvolution('nn.conv1d_transpose', 'ConvTranspose', 1),
  writesConvolution('nn.conv2d', 'Conv', 2),
  writes('nn.conv2d_backward_weight', writeConv2dBackwardWeight),
  writesConvolution('nn.conv2d_transpose', 'ConvTranspose', 2),
  writesConvolution('nn.conv3d', 'Conv', 3),
  writesConvolution('nn.conv3d_transpose', 'ConvTranspose', 3),
  writes('nn.dilate', writeDilate),
  writes('image.dilation2d', writeDilation2d),
  writes('sliding_window', writeSlidingWindow),
];

/** `CausalConvWithState`: each channel's sums of its past, which begins with a state. */
function readCausalConvWithState(context: NodeContext): Converted {
  const { call } = context;
  const [x, weight, bias] = [context.input(0), context.input(1), context.optional(2)];
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
  const all = past
    ? concatenate(context, [past, x], 2)
    : pad(context, x, zero, [
        [0, 0],
        [0, 0],
        [width - 1, 0],
      ]);
  const attrs = { groups: channels, channels, kernel_size: [width], padding: [0, 0] };
  const sums = call('nn.conv1d', [all, weight], attrs);
  const whole = bias ? call('nn.bias_add', [sums, bias], { axis: 1 }) : sums;
  const kept = width - 1;
  const end = Number.MAX_SAFE_INTEGER;
  const present =
    kept === 0 ? slice(context, all, 2, end, end) : slice(context, all, 2, -kept, end);
  return [name === 'none' ? whole : swishOf(context, whole, 1), present];
}

/** `Col2Im`: windows of an image, added where they overlap. */
function readCol2Im(context: NodeContext): Converted {
  const { attributes, call } = context;
  const [image, block] = [context.ints(1), context.ints(2)];
  const [batch, rows, windows] = context.shapeOf(context.input(0)) ?? [];
  if (image === undefined || block === undefined) return undefined;
  if (batch === undefined || rows === undefined || windows === undefined) {
    return context.unknown('expected known sizes of the windows');
  }
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
  if (places.shape[0] !== cells * windows || rows % cells !== 0) {
    return context.fail('ONNX_SHAPE', 'expected as many windows as fit into the image');
  }
  const channels = (batch * rows) / cells;
  const data = reshape(context, context.input(0), [channels, cells * windows]);
  const shape = [channels, cells * windows];
  const indices = broadcastTo(context, context.constant(places), shape);
  const dtype = context.dtypeOf(data);
  const blank = call('zeros', [], { shape: [channels, shapeSize(layout.padded)], dtype });
  const sums = call('scatter_elements', [blank, indices, data], { axis: 1, reduction: 'add' });
  const newshape = [batch, rows / cells, ...layout.padded];
  const whole: Expr = reshape(context, sums, newshape);
  const axes = image.map((_, i) => i + 2);
  const begin = image.map((_, i) => pads[i] ?? 0);
  const end = begin.map((from, i) => from + (image[i] ?? 0));
  return call('strided_slice', [whole], { begin, end, axes });
}

/** Sizes of the windows and of the image with its padding, one for each axis. */
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

/** `Conv`: cross-correlation over one to three spatial axes, with a bias per channel. */
export function readConv(context: NodeContext): Converted {
  const bias = context.optional(2);
  const result = convolved(context, context.input(0), context.input(1));
  if (result === undefined || bias === undefined) return result;
  return context.call('nn.bias_add', [result, bias], { axis: 1 });
}

/** `ConvTranspose` over one to three spatial axes, with a bias per channel. */
function readConvTranspose(context: NodeContext): Converted {
  const [x, weight, bias] = [context.input(0), context.input(1), context.optional(2)];
  const dims = context.dimsOf(x);
  const weightShape = context.shapeOf(weight);
  const rank = dims.length - 2;
  if (weightShape === undefined) return context.unknown('expected a weight of known size');
  if (rank < 1 || rank > 3 || weightShape.length !== dims.length) {
    return context.fail('ONNX_RANK', 'expected data and a weight of one to three spatial axes');
  }
  const w = window(context, dims.slice(2), weightShape.slice(2));
  if (w === undefined) return undefined;
  const groups = context.attributes.int('group');
  const result = context.call(`nn.conv${rank}d_transpose`, [x, weight], { ...w, groups });
  return bias === undefined ? result : context.call('nn.bias_add', [result, bias], { axis: 1 });
}

interface Window {
  readonly kernel_size: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly output_padding: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
}

/** The attributes of the moving window; `undefined` after a failure. */
function window(
  context: NodeContext,
  dims: ReadonlyArray<Dim>,
  kernel: ReadonlyArray<number>,
): Window | undefined {
  const { attributes } = context;
  const list = (name: string, value: number, count: number): ReadonlyArray<number> => {
    const given = attributes.ints(name) ?? new Array<number>(count).fill(value);
    if (given.length !== count) {
      context.fail('ONNX_ATTRIBUTE', `expected attribute ${name} of ${count} numbers`);
    }
    return given;
  };
  const rank = dims.length;
  const strides = list('strides', 1, rank);
  const dilation = list('dilations', 1, rank);
  const extra = list('output_padding', 0, rank);
  const given = list('pads', 0, 2 * rank);
  if (list('kernel_shape', 0, rank).some((k, i) => k !== 0 && k !== kernel[i])) {
    context.fail('ONNX_ATTRIBUTE', 'expected a kernel_shape that is the shape of the weight');
  }
  if (context.hasFailed()) return undefined;
  const fixed = { kernel_size: kernel, strides, dilation };
  const autoPad = attributes.string('auto_pad');
  const isSame = autoPad === 'SAME_UPPER' || autoPad === 'SAME_LOWER';
  const sizes = attributes.ints('output_shape')?.slice(-rank);
  if (sizes === undefined && !isSame) {
    const padding = autoPad === 'VALID' ? given.map(() => 0) : given;
    return { ...fixed, padding, output_padding: extra };
  }
  // The size of the result is given: the excess is padding.
  const known = dims.filter((dim) => typeof dim === 'number');
  if (sizes !== undefined && (known.length < rank || sizes.length !== rank)) {
    return context.unknown('expected known spatial sizes');
  }
  const excess = dims.map((_, i) => {
    const stride = strides[i] ?? 1;
    const reach = ((kernel[i] ?? 1) - 1) * (dilation[i] ?? 1) + 1 + (extra[i] ?? 0);
    // A size times the stride needs the same padding for any size.
    const rest = sizes === undefined ? 0 : stride * (known[i] ?? 0) - (sizes[i] ?? 0);
    return reach - stride + rest;
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
 * image, sampled at the places of a grid, which a convolution of its windows meets once.
 */
function readDeformConv(context: NodeContext): Converted {
  const { attributes, call, input } = context;
  const [x, weight, offset] = [0, 1, 2].map((i) => context.shapeOf(input(i)));
  if (x === undefined || weight === undefined || offset === undefined) {
    return context.unknown('expected known sizes');
  }
  if (x.length !== 4) return context.fail('ONNX_UNSUPPORTED', 'expected images of two axes');
  const [batch = 1, channels = 1] = x;
  const [, , high = 1, wide = 1] = weight;
  const [, , rows = 1, columns = 1] = offset;
  const own = attributes.int('offset_group');
  const windows = { batch, groups: own, high, wide, rows, columns };
  const sampled = samples(context, windows, x);
  const mask = context.optional(4);
  const moved = mask
    ? call('multiply', [sampled, beside(context, mask, windows, [batch * own, 1])])
    : sampled;
  const image = reshape(context, moved, [batch, channels, rows * high, columns * wide]);
  const found = call('nn.conv2d', [image, input(1)], {
    strides: [high, wide],
    groups: attributes.int('group'),
  });
  const bias = context.optional(3);
  return bias ? call('nn.bias_add', [found, bias]) : found;
}

/** The number of images, of groups that move together, of cells, and of windows. */
interface Windows {
  readonly batch: number;
  readonly groups: number;
  readonly high: number;
  readonly wide: number;
  readonly rows: number;
  readonly columns: number;
}

/** Numbers for each cell of each window, as an image of all windows side by side. */
function beside(
  { call }: NodeContext,
  numbers: Expr,
  { batch, groups, high, wide, rows, columns }: Windows,
  lead: ReadonlyArray<number>,
): Expr {
  const newshape = [batch, groups, high, wide, rows, columns];
  const parted = call('reshape', [numbers], { newshape });
  const turned = call('transpose', [parted], { axes: [0, 1, 4, 2, 5, 3] });
  return call('reshape', [turned], { newshape: [...lead, rows * high, columns * wide] });
}

/** The images at the moved places of all windows, for each group. */
function samples(context: NodeContext, windows: Windows, x: ReadonlyArray<number>): Expr {
  const { attributes, call, input } = context;
  const { batch, groups, high, wide, rows, columns } = windows;
  const [, channels = 1, height = 1, width = 1] = x;
  const newshape = [batch * groups, high * wide, 2, rows * columns];
  const pairs = reshape(context, input(2), newshape);
  const pads = attributes.ints('pads') ?? [];
  const coordinate = (axis: 0 | 1, size: number, count: number, cells: number): Expr => {
    const one = slice(context, pairs, 2, axis, axis + 1);
    const offsets = beside(context, one, windows, [batch * groups]);
    const stride = attributes.ints('strides')?.[axis] ?? 1;
    const dilation = attributes.ints('dilations')?.[axis] ?? 1;
    context.room(count, cells);
    const start = Float64Array.from(
      { length: count * cells },
      (_, i) => Math.floor(i / cells) * stride + (i % cells) * dilation - (pads[axis] ?? 0),
    );
    const shape = axis === 0 ? [start.length, 1] : [1, start.length];
    const dtype = context.dtypeOf(input(2));
    const place = call('add', [offsets, context.constant(fromNumbers(start, shape, dtype))]);
    // The middles of cells, from −1 to 1 at the borders of the image.
    return call('add', [call('multiply', [place, 2 / size]), 1 / size - 1]);
  };
  const [y, at] = [coordinate(0, height, rows, high), coordinate(1, width, columns, wide)];
  const grid = stack(context, [at, y], 1);
  const parted = [batch * groups, channels / groups, height, width];
  const data = reshape(context, input(0), parted);
  return call('image.grid_sample', [data, grid], { align_corners: false });
}

/** `nn.conv2d_backward_weight`: a `Conv` in which batches are channels. */
function writeConv2dBackwardWeight(context: CallContext, grad: Operand, data: Operand): Written {
  const { attrs, call } = context;
  const dtype = resultDType(context);
  const g = inLayout(context, castTo(context, grad, dtype), attrs.text('data_layout'), 'NCHW');
  const x = inLayout(context, castTo(context, data, dtype), attrs.text('kernel_layout'), 'NCHW');
  const [shape, outputs] = [context.shape(x), context.shape(g)?.[1]];
  if (shape === undefined || outputs === undefined) return undefined;
  const [batch = 1, channels = 1, height = 1, width = 1] = shape;
  const groups = attrs.int('groups');
  const perGroup = channels / groups;
  const parted = reshape(context, x, [batch, groups, perGroup, height, width]);
  const turned = transpose(context, parted, [2, 1, 0, 3, 4]);
  const images = reshape(context, turned, [perGroup, groups * batch, height, width]);
  const windows = transpose(context, g, [1, 0, 2, 3]);
  const all = call('nn.conv2d', [images, windows], {
    strides: attrs.ints('dilation'),
    dilation: attrs.ints('strides'),
    padding: attrs.ints('padding'),
    groups,
  });
  const weight = transpose(context, all, [1, 0, 2, 3]);
  const used = call('strided_slice', [weight], {
    begin: [0, 0],
    end: [...attrs.ints('kernel_size')],
    axes: [2, 3],
  });
  return inLayout(context, used, 'OIHW', attrs.text('out_layout'));
}

/** `nn.dilate`: each element becomes a row of its cells, and the last rows are cropped. */
function writeDilate(context: CallContext, x: Operand): Written {
  const { attrs, call } = context;
  const value = context.scalar(attrs.float('dilation_value'), context.dtype(x));
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const dilated = attrs.ints('strides').reduce((data, stride, axis) => {
    const sizes = context.shape(data) ?? [];
    const size = sizes[axis] ?? 0;
    if (stride === 1 || size === 0) return data;
    const cells = expandDims(context, data, axis + 1);
    const pad_width = [...sizes, 1].map((_, i) => [0, i === axis + 1 ? stride - 1 : 0]);
    const rows = pad(context, cells, value, pad_width);
    const newshape = sizes.map((dim, i) => (i === axis ? dim * stride : dim));
    const long = reshapeTo(context, rows, newshape);
    const end = [(size - 1) * stride + 1];
    return call('strided_slice', [long], { begin: [0], end, axes: [axis] });
  }, x);
  return dilated === x ? context.node('Identity', [x]) : dilated;
}

/** `image.dilation2d`: the largest of the sums of shifted data and single weights. */
function writeDilation2d(context: CallContext, data: Operand, weight: Operand): Written {
  const { attrs, call } = context;
  const dtype = resultDType(context);
  const layout = attrs.text('data_layout');
  const x = inLayout(context, castTo(context, data, dtype), layout, 'NCHW');
  const axes = attrs.text('kernel_layout') === 'HWI' ? [2, 0, 1] : [0, 1, 2];
  const w = transpose(context, castTo(context, weight, dtype), axes);
  const sizes = context.shape(w);
  if (sizes === undefined) return undefined;
  const [, height = 1, width = 1] = sizes;
  const dims = resultDims(context);
  const counts = [...'HW'].map((letter) => Number(dims[layout.indexOf(letter)]));
  if (counts.some(Number.isNaN)) return context.unknown('expected known sizes of the result');
  const [top = 0, left = 0, bottom = 0, right = 0] = paddingLists(attrs.ints('padding'), 2);
  const widths = [
    [0, 0],
    [0, 0],
    [top, bottom],
    [left, right],
  ];
  const padded = pad(context, x, 0, widths);
  const [strides, dilations] = [attrs.ints('strides'), attrs.ints('dilations')];
  const sums: Operand[] = [];
  for (let i = 0; i < height; i++) {
    for (let j = 0; j < width; j++) {
      const begin = [i, j].map((at, axis) => at * (dilations[axis] ?? 1));
      const end = begin.map(
        (at, axis) => at + ((counts[axis] ?? 1) - 1) * (strides[axis] ?? 1) + 1,
      );
      const own = { begin: [i, j], end: [i + 1, j + 1], axes: [1, 2] };
      const cells = call('strided_slice', [padded], { begin, end, strides, axes: [2, 3] });
      sums.push(call('add', [cells, call('strided_slice', [w], own)]));
    }
  }
  const [first, ...rest] = sums;
  if (first === undefined) return undefined;
  const peak = rest.reduce((most, sum) => call('maximum', [most, sum]), first);
  return inLayout(context, peak, 'NCHW', layout);
}

/** `sliding_window`: the axes from the last on, each by the indices of its windows. */
function writeSlidingWindow(context: CallContext, x: Operand): Written {
  const { attrs } = context;
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [window, strides] = [attrs.ints('window_shape'), attrs.ints('strides')];
  const axis = shape.length - window.length;
  // Each axis becomes two: the place of the window, and the place in it.
  const taken = window.reduceRight((data, size, i) => {
    const stride = strides[i] ?? 1;
    const count = Math.floor(((shape[axis + i] ?? 0) - size) / stride) + 1;
    context.room(count, size);
    const places = Float64Array.from(
      { length: count * size },
      (_, k) => Math.floor(k / size) * stride + (k % size),
    );
    const indices = context.constant(fromNumbers(places, [count, size], 'int64'));
    return take(context, data, indices, axis + i);
  }, x);
  const before = Array.from({ length: axis }, (_, i) => i);
  const axes = window.map((_, i) => axis + 2 * i);
  const order = [...before, ...axes, ...axes.map((at) => at + 1)];
  return transpose(context, taken, order);
}

/** The particulars of a convolution over `rank` axes. */
interface ConvolutionForm {
  readonly opType: 'Conv' | 'ConvTranspose';
  readonly rank: SpatialRank;
}

/** The export of a convolution. */
function writesConvolution(
  op: string,
  opType: ConvolutionForm['opType'],
  rank: SpatialRank,
): OnnxExporter {
  const form = { opType, rank };
  return writes(op, (context) => inOtherLayout(context, op, form) ?? plain(context, form));
}

/** The call in ONNX's layouts, if its own are others. */
function inOtherLayout(context: CallContext, op: string, form: ConvolutionForm): Written {
  const { attrs } = context;
  const spatial = SPATIAL[form.rank];
  const [data, kernel] = [`NC${spatial}`, `${form.opType === 'Conv' ? 'OI' : 'IO'}${spatial}`];
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

function plain(context: CallContext, { opType, rank }: ConvolutionForm): Written {
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
