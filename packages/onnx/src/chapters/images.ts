/** Grids, regions and boxes of images. */

import { anyDim, type Expr, isStaticDim, tensorType } from '@baton/ir';
import { fromNumbers, shapeSize, tensor } from '@baton/tensor';
import { float, int, text } from '../operator-api/attribute-values.ts';
import type { CallContext, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { ofType, resultDims, resultDType } from '../shared/element-types.ts';
import { inLayout } from '../shared/layouts.ts';
import { matrixProduct } from '../shared/matrix-product.ts';
import { type Chapter, type Operands, reads, writes } from '../shared/rows.ts';
import { equalList, listOf, sizeOfAxis, sizesOfInput } from '../shared/sizes.ts';
import {
  cast,
  concatenate,
  expandDims,
  range,
  reshape,
  slice,
  transpose,
} from '../shared/words.ts';

export const imageOperators: Chapter = [
  reads('AffineGrid', readAffineGrid, {
    kernelSince: 20,
    kernelReads: [1],
    kernelWhen: ({ input, shapeOf }) => shapeOf(input(0)) === undefined,
  }),
  reads('CenterCropPad', readCenterCropPad, { kernelSince: 18, kernelReads: [1] }),
  reads('GridSample', readGridSample),
  reads('NonMaxSuppression', readNonMaxSuppression, { kernelSince: 10 }),
  reads('RoiAlign', readRoiAlign, {
    kernelSince: 16,
    kernelWhen: ({ version }) => version >= 16,
  }),
  writes('image.affine_grid', writeAffineGrid),
  writes('image.grid_sample', writeGridSample),
  writes('vision.roi_align', writeRoiAlign),
  writes('vision.yolo_reorg', writeYoloReorg),
];

function readAffineGrid(context: NodeContext): Converted {
  const size = context.ints(1);
  if (size === undefined) return undefined;
  const isCorners = context.attributes.int('align_corners') !== 0;
  const lengths = size.slice(2);
  if (lengths.length === 3) return ofVolume(context, lengths, isCorners);
  if (size.length !== 4) return context.fail('ONNX_UNSUPPORTED', 'expected images or volumes');
  const [high = 1, wide = 1] = lengths;
  const theta = context.input(0);
  // Between cells, points are closer together by (n − 1) / n than between corners.
  const factors = isCorners ? [1, 1, 1] : [(wide - 1) / wide, (high - 1) / high, 1];
  const closer = context.constant(tensor(factors, [3], context.dtypeOf(theta)));
  const map = isCorners ? theta : context.formula('?theta * ?closer', { theta, closer });
  const text = 'transpose(image.affine_grid(?map, target_shape=?lengths), axes=[0, 2, 3, 1])';
  return context.formula(text, { map, lengths });
}

const MAX_PLACES = 2 ** 18;

/** The places of a volume, mapped: columns are x, y and z. */
function ofVolume(
  context: NodeContext,
  lengths: ReadonlyArray<number>,
  isCorners: boolean,
): Expr | undefined {
  const theta = context.input(0);
  const count = shapeSize(lengths);
  if (lengths.some((length) => length < 1) || count > MAX_PLACES) {
    return context.fail('ONNX_UNSUPPORTED', `expected at most ${MAX_PLACES} places, not ${count}`);
  }
  const [, high = 1, wide = 1] = lengths;
  const [deep = 1] = lengths;
  const at = (i: number, length: number): number =>
    isCorners ? (2 * i) / Math.max(length - 1, 1) - 1 : (2 * i + 1) / length - 1;
  const places = Float64Array.from({ length: 4 * count }, (_, k) => {
    const i = Math.floor(k / 4);
    const place = [
      at(i % wide, wide),
      at(Math.floor(i / wide) % high, high),
      at(Math.floor(i / (wide * high)), deep),
      1,
    ];
    return place[k % 4] ?? 0;
  });
  const base = context.constant(fromNumbers(places, [count, 4], context.dtypeOf(theta)));
  const turned = transpose(context, theta, [0, 2, 1]);
  const mapped = matrixProduct(context, base, turned);
  return mapped && reshape(context, mapped, [-1, ...lengths, 3]);
}

/** `CenterCropPad`: half of what is cropped or padded is in front, rounded down. */
function readCenterCropPad(context: NodeContext): Converted {
  const x = context.input(0);
  const rank = context.dimsOf(x).length;
  const given = context.attributes.ints('axes') ?? range(0, rank);
  const axes = given.map((axis) => context.axis(axis, rank));
  const sizes = sizesOfInput(context, 1);
  if (sizes === undefined || context.hasFailed()) return undefined;
  // The wanted size of each axis: one of the list, or after it one of the data.
  const places = range(0, rank).map((axis) => {
    const at = axes.indexOf(axis);
    return at < 0 ? axes.length + axis : at;
  });
  const text = `
    %0 = shape_of(?x, dtype="int64");
    %1 = take(concatenate((cast(?sizes, dtype="int64"), %0)), ?places, axis=0);
    %2 = floor_divide(maximum(%0 - %1, 0), 2);
    %3 = maximum(%1 - %0, 0);
    %4 = floor_divide(%3, 2);
    dyn.nn.pad(
      dyn.strided_slice(?x, %2, %2 + minimum(%0, %1), ?ones),
      stack((%4, %3 - %4), axis=1), ?zero)`;
  const made = context.formula(text, {
    x,
    sizes: context.input(1),
    places: listOf(context, places),
    ones: equalList(context, rank, 1),
    zero: context.scalar(0, context.dtypeOf(x)),
  });
  const wanted = places.map((at, axis) => sizes[at] ?? context.dimsOf(x)[axis] ?? anyDim);
  const newshape = wanted.map((dim) => (isStaticDim(dim) ? dim : 0));
  return wanted.includes(0) ? made : reshape(context, made, newshape);
}

function readGridSample(context: NodeContext): Converted {
  const { attributes } = context;
  const rank = context.dimsOf(context.input(0)).length;
  if (rank !== 4 && rank !== 5) {
    return context.fail('ONNX_RANK', `expected two or three spatial axes, found rank ${rank}`);
  }
  const method = METHODS.get(attributes.string('mode', 'linear'));
  if (method === undefined) {
    return context.fail('ONNX_ATTRIBUTE', 'expected mode linear, nearest or cubic');
  }
  // ONNX has the coordinates along the last axis.
  const grid = transpose(context, context.input(1), [0, rank - 1, ...range(1, rank - 1)]);
  return context.call('image.grid_sample', [context.input(0), grid], {
    method,
    layout: rank === 4 ? 'NCHW' : 'NCDHW',
    padding_mode: attributes.string('padding_mode'),
    align_corners: attributes.int('align_corners') !== 0,
  });
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ['linear', 'bilinear'],
  ['bilinear', 'bilinear'],
  ['nearest', 'nearest'],
  ['cubic', 'bicubic'],
  ['bicubic', 'bicubic'],
]);

function readNonMaxSuppression(context: NodeContext): Converted {
  const { formula } = context;
  const [boxes, scores] = [context.input(0), context.input(1)];
  const order = formula('argsort(?scores, axis=-1, is_ascend=False, dtype="int64")', { scores });
  const ordered = formula('gather(?scores, ?order, axis=2)', { scores, order });
  const kept = withinLimits(context, ordered, notOverlapped(context, boxes, scores, order));
  // The rows of batch, class and rank in the order; the last becomes the box of that rank.
  const text = `
    %0 = cast(argwhere(?kept), dtype="int64");
    %1 = gather_nd(?order, transpose(%0, axes=[1, 0]));
    concatenate((strided_slice(%0, begin=[0], end=[2], axes=[1]), expand_dims(%1, axis=1)), axis=1)`;
  return formula(text, { kept, order });
}

/** An optional number of the node as a scalar, which files also write with one element. */
function scalarInput(context: NodeContext, index: number): Expr | undefined {
  const given = context.optional(index);
  return given && reshape(context, given, []);
}

/** The boxes that are kept and good enough, up to the number asked for: 0 by default. */
function withinLimits(context: NodeContext, scores: Expr, kept: Expr): Expr {
  const { formula } = context;
  const least = scalarInput(context, 4);
  const good = least
    ? formula('logical_and(?kept, ?scores > ?least)', { kept, scores, least })
    : kept;
  const most = scalarInput(context, 2) ?? context.scalar(0, 'int64');
  const before = formula('cumsum(cast(?good, dtype="int64"), axis=2)', { good });
  return formula('logical_and(?good, ?before <= ?most)', { good, before, most });
}

/** Whether each box, in the order of scores, overlaps no better box that is kept. */
function notOverlapped(context: NodeContext, boxes: Expr, scores: Expr, order: Expr): Expr {
  const { formula } = context;
  const threshold = scalarInput(context, 3) ?? context.scalar(0, 'float32');
  const [low, high] = corners(context, boxes, order);
  const all = formula('cast(ones_like(?scores), dtype="bool")', { scores });
  const places = formula('cumsum(cast(?all, dtype="int32"), axis=2)', { all });
  const [, result] = context.loop({
    fixed: [...low, ...high, areaOf(context, low, high), places, boxCount(context, scores)],
    start: [context.scalar(0, 'int32'), all],
    goesOn: ([, , , , , , count], [place]) => formula('?place < ?count', { place, count }),
    next: ([top, left, bottom, right, areas, own], [place, alive]) => {
      const here = (x: Expr): Expr =>
        formula('expand_dims(take(?x, ?place, axis=2), axis=2)', { x, place });
      const least = (x: Expr): Expr => formula('minimum(?x, ?own)', { x, own: here(x) });
      const most = (x: Expr): Expr => formula('maximum(?x, ?own)', { x, own: here(x) });
      const inner = areaOf(context, [most(top), most(left)], [least(bottom), least(right)]);
      const text = `
        %0 = ?inner > (?areas + ?area - ?inner) * ?threshold;
        %1 = logical_and(logical_and(%0, ?own > ?rank), ?best);
        logical_and(?alive, logical_not(%1))`;
      const best = { area: here(areas), rank: here(own), best: here(alive) };
      const still = formula(text, { inner, areas, threshold, own, alive, ...best });
      return [formula('?place + 1', { place }), still];
    },
  });
  return result;
}

type Corner = readonly [Expr, Expr];

function areaOf({ formula }: NodeContext, [a, b]: Corner, [c, d]: Corner): Expr {
  return formula('nn.relu(?c - ?a) * nn.relu(?d - ?b)', { a, b, c, d });
}

function boxCount(context: NodeContext, scores: Expr): Expr {
  const count = context.dimsOf(scores)[2];
  if (typeof count === 'number') return context.scalar(count, 'int32');
  return context.formula('take(shape_of(?scores, dtype="int32"), 2i32, axis=0)', { scores });
}

function corners(context: NodeContext, boxes: Expr, order: Expr): readonly [Corner, Corner] {
  const { formula } = context;
  const column = (index: number): Expr => {
    const place = context.scalar(index, 'int32');
    const text = `
      %0 = expand_dims(take(?boxes, ?place, axis=2), axis=1);
      gather(broadcast_to_like(%0, ?order), ?order, axis=2)`;
    return formula(text, { boxes, place, order });
  };
  const [a, b, c, d] = [column(0), column(1), column(2), column(3)];
  const corner = (text: string): Corner => [
    formula(text, { x: isCentred ? b : a, y: isCentred ? d : c }),
    formula(text, { x: isCentred ? a : b, y: isCentred ? c : d }),
  ];
  const isCentred = context.attributes.int('center_point_box') !== 0;
  // Otherwise any two opposite corners are given.
  return isCentred
    ? [corner('?x - ?y * 0.5'), corner('?x + ?y * 0.5')]
    : [corner('minimum(?x, ?y)'), corner('maximum(?x, ?y)')];
}

function readRoiAlign(context: NodeContext): Converted {
  if (context.attributes.string('mode') === 'avg' && !isHalfPixel(context)) {
    return betweenWholePlaces(context);
  }
  const { attributes, formula, input } = context;
  const [high, wide] = [2, 3].map((axis) => sizeOfAxis(context, input(0), axis)) as [Size, Size];
  const each = attributes.int('sampling_ratio');
  const mode = attributes.string('mode');
  if (context.hasFailed()) return undefined;
  if (each <= 0 || !['avg', 'max'].includes(mode)) {
    return context.fail('ONNX_UNSUPPORTED', 'expected a sampling ratio, and mode avg or max');
  }
  const [rows, columns] = [attributes.int('output_height'), attributes.int('output_width')];
  if (!isBounded(context, [rows, columns], each)) return undefined;
  const y = samples(context, { first: 1, count: rows, each, size: high, axis: 2 });
  const x = samples(context, { first: 0, count: columns, each, size: wide, axis: 1 });
  const data = transpose(context, input(0), [0, 2, 3, 1]);
  const image = reshape(context, ofType(context, input(2), 'int64'), [-1, 1, 1]);
  /** The samples between four pixels are the sums of their shares. */
  const text = `
    %0 = (?row + ?column) * 0;
    %1 = stack((?image + %0, ?row + %0, ?column + %0), axis=0);
    gather_nd(?data, %1) * expand_dims(?a * ?b, axis=3)`;
  const shares = y.flatMap((row) =>
    x.map((column) => {
      const places = { image, row: row.place, column: column.place };
      return formula(text, { data, ...places, a: row.weight, b: column.weight });
    }),
  );
  const [join, reduce] = mode === 'avg' ? ['add', 'mean'] : ['maximum', 'max'];
  const all = shares.reduce((sum, share) => context.call(join, [sum, share]));
  const sizes = [0, -4, rows, each, -4, columns, each, 0];
  const pooled =
    'transpose(?reduce(reshape(?all, newshape=?sizes), axis=[2, 4]), axes=[0, 3, 1, 2])';
  return formula(pooled, { reduce, all, sizes });
}

function isHalfPixel({ attributes, version }: NodeContext): boolean {
  const usual = version < 16 ? 'output_half_pixel' : 'half_pixel';
  return attributes.string('coordinate_transformation_mode', usual) === 'half_pixel';
}

/** Relay's operator, whose regions have the numbers of their images before their corners. */
function betweenWholePlaces(context: NodeContext): Expr | undefined {
  const { attributes, input } = context;
  const size = [attributes.int('output_height'), attributes.int('output_width')];
  const each = attributes.int('sampling_ratio');
  if (!isBounded(context, size, Math.max(each, 1))) return undefined;
  const images = ofType(context, input(2), context.dtypeOf(input(1)));
  const numbered = concatenate(context, [expandDims(context, images, 1), input(1)], 1);
  return context.call('vision.roi_align', [input(0), numbered], {
    pooled_size: size,
    spatial_scale: attributes.float('spatial_scale'),
    sample_ratio: each,
  });
}

function isBounded(context: NodeContext, size: ReadonlyArray<number>, each: number): boolean {
  const samples = size.reduce((count, cells) => count * cells * each, 1);
  if (size.every((cells) => cells >= 1) && samples <= MAX_SAMPLES) return true;
  context.fail('ONNX_UNSUPPORTED', `expected 1 to ${MAX_SAMPLES} samples of a region`);
  return false;
}

const MAX_SAMPLES = 2 ** 16;

type Size = Expr | number;

interface Along {
  /** The column of the regions with their begin along the axis; two further is their end. */
  readonly first: number;
  /** The cells of a region, and the samples in each. */
  readonly count: number;
  readonly each: number;
  readonly size: Size;
  /** The axis of a result that has one entry. */
  readonly axis: number;
}

function samples(
  context: NodeContext,
  { first, count, each, size: given, axis }: Along,
): ReadonlyArray<{ readonly place: Expr; readonly weight: Expr }> {
  const { attributes, formula } = context;
  const regions = context.input(1);
  const isHalf = isHalfPixel(context);
  const border = (column: number): Expr => {
    const given = slice(context, regions, 1, column, column + 1);
    const values = { given, scale: attributes.float('spatial_scale') };
    return formula(isHalf ? '?given * ?scale - 0.5' : '?given * ?scale', values);
  };
  const begin = border(first);
  const length = formula('?end - ?begin', { end: border(first + 2), begin });
  const cell = formula(isHalf ? '?length / ?count' : 'maximum(?length, 1) / ?count', {
    length,
    count,
  });
  context.room(count, each);
  const steps = range(0, count * each).map((k) => (k + 0.5) / each);
  const dtype = context.dtypeOf(regions);
  const inCells = context.constant(tensor(steps, [1, steps.length], dtype));
  const at = formula('?begin + ?cell * ?inCells', { begin, cell, inCells });
  const size = typeof given === 'number' ? given : cast(context, given, dtype);
  const isInside = formula('logical_and(?at >= -1, ?at <= ?size)', { at, size });
  const last = typeof size === 'number' ? size - 1 : formula('?size - 1', { size });
  const bounded = formula('minimum(maximum(?at, 0), ?last)', { at, last });
  const low = formula('floor(?bounded)', { bounded });
  const part = formula('?bounded - ?low', { bounded, low });
  const next = formula('minimum(?low + 1, ?last)', { low, last });
  const entry = (place: Expr, weight: Expr) => ({
    place: expandDims(context, ofType(context, place, 'int64'), axis),
    weight: expandDims(
      context,
      formula('where(?isInside, ?weight, 0)', { isInside, weight }),
      axis,
    ),
  });
  return [entry(low, formula('1 - ?part', { part })), entry(next, part)];
}

function writeAffineGrid(context: CallContext, [x]: Operands): Written {
  if (!context.since(20, 'AffineGrid')) return undefined;
  const [batch, , high, wide] = resultDims(context);
  if (typeof batch !== 'number' || typeof high !== 'number' || typeof wide !== 'number') {
    return context.unknown('expected a known number of images');
  }
  const type = tensorType([batch, high, wide, 2], x.type.dtype);
  const size = context.ints([batch, 1, high, wide]);
  const grid = context.node('AffineGrid', [x, size], { align_corners: int(1) }, type);
  return transpose(context, grid, [0, 3, 1, 2]);
}

function writeGridSample(context: CallContext, [x, grid]: Operands): Written {
  const { attrs } = context;
  const rank = context.dims(x).length;
  if (!context.since(rank > 4 ? 20 : 16, 'GridSample')) return undefined;
  const method = attrs.text('method');
  const moved = transpose(context, grid, [0, ...range(2, rank), 1]);
  return context.node('GridSample', [x, moved], {
    mode: text(context.opset >= 20 ? (NEW_MODES[method] ?? method) : method),
    padding_mode: text(attrs.text('padding_mode')),
    align_corners: int(attrs.bool('align_corners')),
  });
}

const NEW_MODES: Readonly<Partial<Record<string, string>>> = {
  bilinear: 'linear',
  bicubic: 'cubic',
};

function writeRoiAlign(context: CallContext, [data, regions]: Operands): Written {
  const { attrs, call } = context;
  if (attrs.text('mode') !== 'avg') {
    return context.fail('RoiAlign takes the maximum of weighted corners, not of samples');
  }
  if (!context.since(16, 'RoiAlign between whole places')) return undefined;
  const layout = attrs.text('layout');
  const x = inLayout(context, data, layout, 'NCHW');
  const column = (begin: number, end: number) => slice(context, regions, 1, begin, end);
  const images = call('squeeze', [column(0, 1)], { axis: [1] });
  const [height = 1, width = 1] = attrs.ints('pooled_size');
  const [count] = context.dims(regions);
  const [, channels] = context.dims(x);
  if (count === undefined || channels === undefined) return undefined;
  const pooled = context.node(
    'RoiAlign',
    [x, column(1, 5), cast(context, images, 'int64')],
    {
      coordinate_transformation_mode: text('output_half_pixel'),
      output_height: int(height),
      output_width: int(width),
      sampling_ratio: int(Math.max(attrs.int('sample_ratio'), 0)),
      spatial_scale: float(attrs.float('spatial_scale')),
    },
    tensorType([count, channels, height, width], resultDType(context)),
  );
  return inLayout(context, pooled, 'NCHW', layout);
}

function writeYoloReorg(context: CallContext, [x]: Operands): Written {
  const stride = context.attrs.int('stride');
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [batch = 1, channels = 1, height = 1, width = 1] = shape;
  const square = stride * stride;
  const blocks = [batch, channels / square, height, stride, width, stride];
  const sizes = [batch, channels * square, height / stride, width / stride];
  const text =
    'reshape(transpose(reshape(?x, newshape=?blocks), axes=[0, 3, 5, 1, 2, 4]), newshape=?sizes)';
  return context.formula(text, { x, blocks, sizes });
}
