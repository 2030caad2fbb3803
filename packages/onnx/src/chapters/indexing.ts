/** Elements by their places: gathering, scattering, choosing, sorting. */

import { anyDim, type Dim, type Expr, isStaticDim, tensorType } from '@baton/ir';
import { isBig, isDType, rowMajorStrides, shapeSize, tensor, toNumbers } from '@baton/tensor';
import { int, text } from '../operator-api/attribute-values.ts';
import type {
  CallContext,
  NodeAttributeValues,
  Operand,
  Written,
} from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { castTo, fromFront, resultDType } from '../shared/element-types.ts';
import { alongOneAxis, asIndices, indexRows, placesOf } from '../shared/indices.ts';
import { alongAxis, sizeOf } from '../shared/reshaping.ts';
import { type Chapter, hasOpenInput, type Operands, reads, writes } from '../shared/rows.ts';
import { loneNumber } from '../shared/sequences.ts';
import { asScalar, listOf, placesUpTo, sizeOfAxis } from '../shared/sizes.ts';
import {
  broadcastTo,
  concatenate,
  expandDims,
  plus,
  range,
  reshape,
  slice,
  stack,
  take,
  transpose,
} from '../shared/words.ts';

export const indexingOperators: Chapter = [
  reads('Compress', readCompress, {
    kernelSince: 9,
    kernelReads: [1],
    kernelWhen: (context) => hasOpenInput(context, [1]) || !hasShape(context),
  }),
  reads('Gather', readGather),
  reads('GatherND', 'gather_nd(?x, ?columns, batch_dims=?batch_dims)', {
    let: { columns },
    kernelSince: 12,
    kernelWhen: hasOpenColumns,
  }),
  // The indices of nonzero elements, one in each column.
  reads('NonZero', 'cast(transpose(argwhere(?x), axes=[1, 0]), dtype="int64")', { kernelSince: 9 }),
  reads('OneHot', readOneHot, {
    kernelSince: 11,
    kernelReads: [1],
    kernelWhen: (context) => !hasShape(context),
  }),
  // `Scatter`, the name of `ScatterElements` before operator set 11.
  reads('Scatter', 'scatter_elements(?x, ?y, ?z, axis=?axis, reduction="update")'),
  reads('ScatterElements', 'scatter_elements(?x, ?y, ?z, axis=?axis, reduction=?reduction)', {
    let: { reduction: scatterMode },
  }),
  reads('ScatterND', 'scatter_nd(?x, ?columns, ?z, mode=?reduction)', {
    let: { reduction: scatterMode, columns },
    kernelSince: 11,
    kernelWhen: hasOpenColumns,
  }),
  reads('TensorScatter', readTensorScatter, { kernelSince: 24 }),
  reads('TfIdfVectorizer', readTfIdfVectorizer, { kernelSince: 9 }),
  reads('TopK', readTopK, { since: 10 }),
  reads('Trilu', 'trilu(?x, ?diagonal, upper=?isUpper)', {
    let: {
      diagonal: (context) => asScalar(context, context.optional(1) ?? context.scalar(0, 'int64')),
      isUpper: ({ attributes }) => attributes.int('upper') !== 0,
    },
  }),
  reads('Unique', readUnique, { kernelSince: 11 }),
  writes('adv_index', writeAdvIndex),
  writes('argsort', writeArgsort),
  writes('argwhere', writeArgwhere),
  writes('dyn.topk', writeDynTopk),
  writes('gather', 'GatherElements(?x, ?places, axis=?axis)', {
    places: (context) => asIndices(context, context.input(1)),
  }),
  writes('gather_nd', 'GatherND(?x, ?rows, batch_dims=?batch_dims)', {
    rows: (context) => indexRows(context, context.input(1)),
  }),
  writes('invert_permutation', writeInvertPermutation),
  writes('one_hot', writeOneHot),
  writes('scatter_elements', writeScatterElements),
  writes('scatter_nd', writeScatterNd),
  writes('searchsorted', writeSearchsorted),
  writes('sequence_mask', writeSequenceMask),
  writes('sort', writeSort),
  writes('sparse_to_dense', writeSparseToDense),
  writes('take', writeTake),
  writes('topk', writeTopk),
  writes('trilu', writeTrilu),
  writes('unique', writeUnique),
  writes('unravel_index', writeUnravelIndex),
];

function hasShape({ input, shapeOf }: NodeContext): boolean {
  return shapeOf(input(0)) !== undefined;
}

function readCompress(context: NodeContext): Converted {
  const x = context.input(0);
  const condition = context.valueOf(context.input(1));
  const isFlat = !context.attributes.has('axis');
  const dims = context.dimsOf(x);
  const axis = isFlat ? 0 : context.axis(context.attributes.int('axis', 0), dims.length);
  if (context.hasFailed()) return undefined;
  const shape = isFlat ? context.shapeOf(x) : undefined;
  const size = isFlat ? shape && shapeSize(shape) : dims[axis];
  const data = isFlat ? reshape(context, x, [-1]) : x;
  if (condition === undefined) {
    const text =
      'take(?data, cast(squeeze(argwhere(?chosen), axis=[1]), dtype="int64"), axis=?axis)';
    return context.formula(text, { data, chosen: context.input(1), axis });
  }
  const places = Array.from(toNumbers(condition)).flatMap((holds, i) => (holds ? [i] : []));
  if (typeof size === 'number' && places.some((place) => place >= size)) {
    return context.fail('ONNX_INDEX', `expected a condition of at most ${size} elements`);
  }
  return take(context, data, listOf(context, places), axis);
}

function readGather(context: NodeContext): Converted {
  const [x, indices] = [context.input(0), context.input(1)];
  const dims = context.dimsOf(x);
  const axis = context.axis(context.attributes.int('axis'), dims.length);
  if (context.hasFailed()) return undefined;
  const size = dims[axis];
  const known = typeof size === 'number' ? positiveIndices(context, indices, size) : undefined;
  if (context.hasFailed()) return undefined;
  // Of indices known only at run time the file promises that they are within the axis or count from its end.
  if (known === undefined) return context.call('take', [x, indices], { axis, mode: 'fast' });
  return context.call('take', [x, known], { axis, mode: 'clip' });
}

/** Constant indices counted from the front; ones out of range are a failure. */
function positiveIndices(context: NodeContext, indices: Expr, size: number): Expr | undefined {
  const value = context.valueOf(indices);
  if (value === undefined) return undefined;
  const numbers = Array.from(toNumbers(value));
  const outside = numbers.find((index) => index < -size || index >= size);
  if (outside !== undefined) {
    return context.fail('ONNX_INDEX', `expected indices below ${size}, found ${outside}`);
  }
  if (numbers.every((index) => index >= 0)) return indices;
  const positive = numbers.map((index) => (index < 0 ? index + size : index));
  const dtype = isBig(value.dtype) ? 'int64' : 'int32';
  return context.constant(tensor(positive, value.shape, dtype));
}

function readOneHot(context: NodeContext): Converted {
  const depth = loneNumber(context, context.input(1));
  if (depth === undefined) return context.unknown('expected a constant depth as input 1');
  const [x, values] = [context.input(0), context.input(2)];
  const text = `
    %0 = cast(?x, dtype="int64");
    one_hot(
      where(%0 < 0, %0 + ?count, %0),
      take(?values, 1i64, axis=0),
      take(?values, 0i64, axis=0),
      depth=?count, axis=?axis, dtype=?dtype)`;
  const [count, axis] = [Math.trunc(depth), context.attributes.int('axis')];
  return context.formula(text, { x, values, count, axis, dtype: context.dtypeOf(values) });
}

/** `TensorScatter`: a cache with updates from an index of each batch on. */
function readTensorScatter(context: NodeContext): Converted {
  const { formula } = context;
  const [cache, update, starts] = [context.input(0), context.input(1), context.optional(2)];
  const rank = context.dimsOf(cache).length;
  const axis = context.axis(context.attributes.int('axis'), rank);
  if (context.hasFailed()) return undefined;
  const along = (x: Expr, at: number): Expr => expandDims(context, x, 1, rank - 1 - at);
  const own = along(placesUpTo(context, sizeOfAxis(context, update, axis)), axis);
  const moved = plus(context, own, starts && along(starts, 0));
  const isCircular = context.attributes.string('mode') === 'circular';
  const length = sizeOfAxis(context, cache, axis);
  const places = isCircular ? formula('floor_mod(?moved, ?length)', { moved, length }) : moved;
  const text =
    'scatter_elements(?cache, broadcast_to_like(?places, ?update), ?update, axis=?axis, reduction="update")';
  return formula(text, { cache, places, update, axis });
}

function readTfIdfVectorizer(context: NodeContext): Converted {
  const { attributes } = context;
  const x = context.input(0);
  const shape = context.shapeOf(x);
  if (attributes.has('pool_strings')) {
    return context.fail('ONNX_UNSUPPORTED', 'sequences of texts are not imported');
  }
  if (shape === undefined) return context.unknown('expected data of known size');
  if (shape.length < 1 || shape.length > 2) {
    return context.fail('ONNX_SHAPE', `expected data of rank 1 or 2, found ${shape.length}`);
  }
  const places = attributes.ints('ngram_indexes') ?? [];
  const grams = gramsOf(context);
  const wrong = grams.length !== places.length || new Set(places).size < places.length;
  if (wrong) {
    return context.fail('ONNX_ATTRIBUTE', 'expected a place of its own for each sequence');
  }
  const nothing = context.formula('zeros(shape=?sizes, dtype="float32")', {
    sizes: [...shape.slice(0, -1), 1],
  });
  const counted = countsOf(context, x, shape.at(-1) ?? 0, grams);
  const columns = [nothing, ...counted.map(({ counts }) => counts)];
  const all = concatenate(context, columns, -1);
  // Column 0 is for the places of what is not counted.
  const columnOf = new Map(
    counted.flatMap(({ indices }) => indices).map((gram, i) => [places[gram], i + 1]),
  );
  const size = places.reduce((most, place) => Math.max(most, place + 1), 0);
  context.room(size);
  const order = range(0, size).map((place) => columnOf.get(place) ?? 0);
  return weighted(context, take(context, all, listOf(context, order), -1), places, size);
}

/** The sequences that are looked for, from the short ones to the long ones. */
function gramsOf({ attributes }: NodeContext): ReadonlyArray<ReadonlyArray<number>> {
  const pool = attributes.ints('pool_int64s') ?? [];
  const starts = attributes.ints('ngram_counts') ?? [];
  return starts.flatMap((start, i) => {
    const length = i + 1;
    const part = pool.slice(start, starts[length] ?? pool.length);
    const count = Math.floor(part.length / length);
    return range(0, count).map((k) => part.slice(k * length, (k + 1) * length));
  });
}

interface Counted {
  readonly indices: ReadonlyArray<number>;
  readonly counts: Expr;
}

/** The numbers of sequences of each length that is counted, with each number of skipped elements. */
function countsOf(
  context: NodeContext,
  x: Expr,
  size: number,
  grams: ReadonlyArray<ReadonlyArray<number>>,
): ReadonlyArray<Counted> {
  const { attributes, formula } = context;
  const axis = context.dimsOf(x).length - 1;
  const least = attributes.int('min_gram_length', 1);
  const most = attributes.int('max_gram_length', least);
  const skips = attributes.int('max_skip_count', 0);
  const lengths = [...new Set(grams.map(({ length }) => length))];
  return lengths.flatMap((length) => {
    const indices = grams.flatMap((gram, i) => (gram.length === length ? [i] : []));
    const found: Expr[] = [];
    // Single elements are counted once, since nothing is skipped in them.
    for (let step = 1; step <= (length === 1 ? 1 : skips + 1); step++) {
      const windows = size - (length - 1) * step;
      if (length < least || length > most || windows < 1) break;
      const matches = range(0, length).map((k) => {
        const values = indices.map((i) => grams[i]?.[k] ?? 0);
        const wanted = context.constant(tensor(values, [values.length], context.dtypeOf(x)));
        const part = slice(context, x, axis, k * step, k * step + windows);
        return formula('expand_dims(?part, axis=?to) == ?wanted', { part, to: axis + 1, wanted });
      });
      const both = matches.reduce((a, b) => formula('logical_and(?a, ?b)', { a, b }));
      found.push(formula('sum(cast(?both, dtype="float32"), axis=[-2])', { both }));
    }
    const [first, ...others] = found;
    return first ? [{ indices, counts: others.reduce((a, b) => plus(context, a, b), first) }] : [];
  });
}

/** The counts, or by `mode` the weights of what occurs, or their products. */
function weighted(
  context: NodeContext,
  counts: Expr,
  places: ReadonlyArray<number>,
  size: number,
): Expr | undefined {
  const { attributes } = context;
  const mode = attributes.string('mode', 'TF');
  const given = attributes.floats('weights') ?? places.map(() => 1);
  if (given.length !== places.length) {
    const message = `expected ${places.length} weights, found ${given.length}`;
    return context.fail('ONNX_ATTRIBUTE', message);
  }
  const weightAt = new Map(places.map((place, i) => [place, given[i]]));
  const ordered = Array.from({ length: size }, (_, place) => weightAt.get(place) ?? 0);
  const weights = context.constant(tensor(ordered, [size], 'float32'));
  const text = WEIGHTED[mode];
  return text === undefined
    ? context.fail('ONNX_ATTRIBUTE', `expected TF, IDF or TFIDF as mode, found ${mode}`)
    : context.formula(text, { counts, weights });
}

const WEIGHTED: Readonly<Partial<Record<string, string>>> = {
  TF: '?counts',
  IDF: 'minimum(?counts, 1) * ?weights',
  TFIDF: '?counts * ?weights',
};

function readTopK(context: NodeContext): Converted {
  const { attributes, call } = context;
  const [x, count] = [context.input(0), context.input(1)];
  const attrs = {
    axis: attributes.int('axis'),
    is_ascend: attributes.int('largest') === 0,
    dtype: 'int64',
  };
  const isKnown = context.valueOf(count) !== undefined;
  const [k = 0] = (isKnown && context.ints(1)) || [];
  if (context.hasFailed()) return undefined;
  if (isKnown && k < 1) {
    return context.fail('ONNX_UNSUPPORTED', `expected k of 1 or more, found ${k}`);
  }
  const found = isKnown
    ? call('topk', [x], { k, ...attrs })
    : call('dyn.topk', [x, asScalar(context, count)], attrs);
  return [context.field(found, 0), context.field(found, 1)];
}

/** `Unique` of flattened data: each element once, with its first index, its number and its ranks. */
function readUnique(context: NodeContext): Converted {
  const { attributes, results } = context;
  const x = context.input(0);
  const dims = context.dimsOf(x);
  if (attributes.has('axis') && dims.length !== 1) {
    return context.fail('ONNX_UNSUPPORTED', 'unique slices along an axis are not imported');
  }
  if (dims.includes(0)) {
    const text =
      '%0 = zeros(shape=[0], dtype="int64"); (reshape(?x, newshape=[0], allowzero=1), %0, %0, %0)';
    return results(text, { x });
  }
  const found = results(SORTED_UNIQUE, {
    x: reshape(context, x, [-1]),
    end: [Number.MAX_SAFE_INTEGER],
  });
  if (attributes.int('sorted') !== 0) return found;
  const [values, places, ranks, counts] = found as [Expr, Expr, Expr, Expr];
  return results(IN_FIRST_ORDER, { values, places, ranks, counts });
}

/** The unique elements in ascending order, their first indices, the ranks of all, and the counts. */
const SORTED_UNIQUE = `
  %0 = argsort(?x, axis=0, dtype="int64");
  %1 = take(?x, %0, axis=0);
  %2 = strided_slice(%1, begin=[1], end=?end, axes=[0]) != strided_slice(%1, begin=[0], end=[-1], axes=[0]);
  %3 = concatenate((ones(shape=[1], dtype="bool"), %2), axis=0);
  %4 = cast(squeeze(argwhere(%3), axis=[1]), dtype="int64");
  %5 = cumsum(cast(%3, dtype="int64"), axis=0) - 1;
  %6 = concatenate((strided_slice(%4, begin=[1], end=?end, axes=[0]), shape_of(?x, dtype="int64")), axis=0);
  (
    take(%1, %4, axis=0),
    take(%0, %4, axis=0),
    scatter_elements(zeros_like(%5), %0, %5, axis=0, reduction="update"),
    %6 - %4
  )`;

/** The same in the order in which the elements occur. */
const IN_FIRST_ORDER = `
  %0 = argsort(?places, axis=0, dtype="int64");
  (
    take(?values, %0, axis=0),
    take(?places, %0, axis=0),
    take(argsort(%0, axis=0, dtype="int64"), ?ranks, axis=0),
    take(?counts, %0, axis=0)
  )`;

/** `adv_index`: the indices side by side. */
function writeAdvIndex(context: CallContext): Written {
  const [x, ...indices] = context.fields(0);
  const [result] = context.results;
  if (x === undefined || result === undefined || '_tag' in result.shape) {
    return context.unknown('expected a known rank');
  }
  const rest = context.dims(x).length - indices.length;
  const places: ReadonlyArray<Dim> = result.shape.slice(0, result.shape.length - rest);
  const shape = places.filter(isStaticDim);
  if (shape.length < places.length) return context.unknown('expected known sizes of the indices');
  const columns = indices.map((index) => {
    const wide = broadcastTo(context, castTo(context, index, 'int64'), shape);
    return reshape(context, wide, [...shape, 1]);
  });
  const rows = concatenate(context, columns, -1);
  return context.node('GatherND', [x, rows]);
}

function writeArgsort(context: CallContext, [x]: Operands): Written {
  const places = inOrder(context, x)?.[1];
  return places && castTo(context, places, resultDType(context));
}

/** `argwhere`: the columns of `NonZero` as rows. */
function writeArgwhere(context: CallContext, [x]: Operands): Written {
  const rank = context.dims(x).length;
  if (rank === 0) return context.fail('NonZero of a scalar has other results');
  const columns = context.node('NonZero', [x], {}, tensorType([rank, anyDim], 'int64'));
  return castTo(context, context.call('transpose', [columns]), 'int32');
}

function writeDynTopk(context: CallContext, [x, k]: Operands): Written {
  const count = reshape(context, castTo(context, k, 'int64'), [1]);
  return valuesOrPlaces(context, topK(context, x, count, anyDim));
}

function writeInvertPermutation(context: CallContext, [x]: Operands): Written {
  const [length] = context.shape(x) ?? [];
  if (length === undefined) return undefined;
  context.room(length);
  const places = context.constant(placesOf([length], context.dtype(x)));
  return context.call('scatter_elements', [places, x, places]);
}

/** `one_hot`, by comparing: `OneHot` takes negative indices from the end. */
function writeOneHot(context: CallContext, [indices, on, off]: Operands): Written {
  const { formula } = context;
  const depth = context.attrs.int('depth');
  const rank = context.dims(indices).length + 1;
  const axis = fromFront(context.attrs.int('axis'), rank);
  const each = expandDims(context, indices, axis);
  const shape = [depth, ...new Array<number>(rank - 1 - axis).fill(1)];
  context.room(depth);
  const places = context.constant(placesOf(shape, context.dtype(indices)));
  const dtype = resultDType(context);
  const [yes, no] = [castTo(context, on, dtype), castTo(context, off, dtype)];
  return formula('where(?each == ?places, ?yes, ?no)', { each, places, yes, no });
}

function writeScatterElements(context: CallContext, [x, places, updates]: Operands): Written {
  const way = joining(context, context.attrs.text('reduction'));
  const axis = int(context.attrs.int('axis'));
  return (
    way &&
    context.node('ScatterElements', [x, asIndices(context, places), updates], { axis, ...way })
  );
}

/** `scatter_nd`: the index moves to the last axis. */
function writeScatterNd(context: CallContext, [x, columns, updates]: Operands): Written {
  const way = joining(context, context.attrs.text('mode'));
  return way && context.node('ScatterND', [x, indexRows(context, columns), updates], way);
}

function writeSearchsorted(context: CallContext, [sequence, values]: Operands): Written {
  const isMatrix = context.dims(sequence).length > 1;
  const rows = isMatrix ? expandDims(context, sequence, -2) : sequence;
  const before = context.attrs.bool('right') ? 'less_equal' : 'less';
  const text = 'sum(cast(?before(?rows, expand_dims(?values, axis=-1)), dtype="int32"), axis=[-1])';
  return castTo(context, context.formula(text, { before, rows, values }), resultDType(context));
}

function writeSequenceMask(context: CallContext, [x, lengths]: Operands): Written {
  const axis = context.attrs.int('axis');
  const rank = context.dims(x).length;
  const size = context.dims(x)[axis];
  if (typeof size !== 'number') return context.unknown('expected a known size of the masked axis');
  context.room(size);
  const all = context.constant(placesOf([size], context.dtype(lengths)));
  const [places, ends] = [
    alongAxis(context, all, axis, rank),
    alongAxis(context, lengths, 1 - axis, rank),
  ];
  const value = context.scalar(context.attrs.float('mask_value'), context.dtype(x));
  return context.formula('where(?places < ?ends, ?x, ?value)', { places, ends, x, value });
}

function writeSort(context: CallContext, [x]: Operands): Written {
  return inOrder(context, x)?.[0];
}

function writeSparseToDense(context: CallContext, [indices, values, other]: Operands): Written {
  const shape = context.attrs.ints('output_shape');
  const count = context.shape(indices)?.[0] ?? 1;
  const columns = transpose(context, reshape(context, indices, [count, shape.length]), [1, 0]);
  const updates = broadcastTo(context, values, [count]);
  const data = broadcastTo(context, other, shape);
  return context.call('scatter_nd', [data, columns, updates], { mode: 'update' });
}

/** `take`: `Gather`, with indices out of range brought into it first. */
function writeTake(context: CallContext, [given, places]: Operands): Written {
  const { attrs } = context;
  if (attrs.int('batch_dims') !== 0) return context.fail('Gather has no batches');
  const { x, axis } = alongOneAxis(context, given);
  const indices = inRange(context, asIndices(context, places), x, axis);
  return indices && context.node('Gather', [x, indices], { axis: int(axis) });
}

function inRange(
  context: CallContext,
  indices: Operand,
  x: Operand,
  axis: number,
): Operand | undefined {
  const mode = context.attrs.text('mode');
  if (mode === 'fast') return indices;
  const size = context.dims(x)[axis] ?? 0;
  const known = indices.constant && toNumbers(indices.constant);
  if (!isStaticDim(size)) {
    // The first place is within every axis that has one.
    if (known?.every((index) => index === 0)) return indices;
    const atRun = castTo(context, sizeOf(context, x, axis), context.dtype(indices));
    if (mode === 'wrap') return context.call('floor_mod', [indices, atRun]);
    return context.formula('minimum(maximum(?indices, 0), ?atRun - 1)', { indices, atRun });
  }
  if (known?.every((index) => index >= 0 && index < size)) return indices;
  return mode === 'wrap'
    ? context.call('floor_mod', [indices, size])
    : context.call('clip', [indices], { a_min: 0, a_max: size - 1 });
}

function writeTopk(context: CallContext, [x]: Operands): Written {
  const k = context.attrs.int('k');
  const found = inOrder(context, x, k <= 0 ? undefined : k);
  return found && valuesOrPlaces(context, found);
}

function valuesOrPlaces(context: CallContext, [values, own]: Sorted): Written {
  const { attrs } = context;
  const dtype = attrs.text('dtype');
  const places = isDType(dtype) ? castTo(context, own, dtype) : own;
  const wanted = attrs.text('ret_type');
  return wanted === 'both' ? [values, places] : wanted === 'values' ? values : places;
}

function writeTrilu(context: CallContext, [x, k]: Operands): Written {
  if (!context.since(14, 'Trilu')) return undefined;
  const upper = int(context.attrs.bool('upper'));
  return context.node('Trilu', [x, castTo(context, k, 'int64')], { upper });
}

/** `unique`: `Unique`, whose number of elements is a shape. */
function writeUnique(context: CallContext, [x]: Operands): Written {
  const { attrs } = context;
  if (!context.since(11, 'Unique')) return undefined;
  const open = tensorType([anyDim], 'int64');
  const places = tensorType(context.dims(x), 'int64');
  const sorted = { sorted: int(attrs.bool('sorted')) };
  const types = [tensorType([anyDim], context.dtype(x)), open, places, open];
  const [values, ...counted] = context.nodeOf('Unique', [x], sorted, types);
  if (values === undefined) return undefined;
  const [firsts, inverse, counts] = counted.map((found) => castTo(context, found, 'int32'));
  const count = context.call('shape_of', [values], { dtype: 'int32' });
  if (firsts === undefined || inverse === undefined || counts === undefined) return undefined;
  return [values, firsts, inverse, count, ...(attrs.bool('return_counts') ? [counts] : [])];
}

/** `unravel_index` for a known shape: the remainder of the quotient by each stride. */
function writeUnravelIndex(context: CallContext, [places, shape]: Operands): Written {
  const sizes = shape.constant && Array.from(toNumbers(shape.constant));
  if (sizes === undefined) return context.fail('expected a known shape');
  const strides = rowMajorStrides(sizes);
  const rows = sizes.map((size, axis) => {
    const stride = strides[axis] ?? 1;
    return context.formula('floor_mod(floor_divide(?places, ?stride), ?size)', {
      places,
      stride,
      size,
    });
  });
  return stack(context, rows, 0);
}

function columns(context: NodeContext): Expr | undefined {
  const given = context.input(1);
  const dims = context.dimsOf(given);
  const last = dims.length - 1;
  if (context.hasFailed()) return undefined;
  if (last < 0) return context.fail('ONNX_RANK', 'expected indices of rank 1 or more');
  const count = hasOpenColumns(context) ? columnsByRank(context) : undefined;
  if (hasOpenColumns(context) && count === undefined) {
    return context.unknown('expected indices of a known number of columns');
  }
  const own = dims.map((_, axis) => (axis === last ? (count ?? 0) : 0));
  const indices = count === undefined ? given : reshape(context, given, own);
  return last === 0 ? indices : transpose(context, indices, [last, ...range(0, last)]);
}

function hasOpenColumns({ dimsOf, input }: NodeContext): boolean {
  return !isStaticDim(dimsOf(input(1)).at(-1) ?? 0);
}

/** The number of columns by the rank of the updates, or of the result as the file states it. */
function columnsByRank(context: NodeContext): number | undefined {
  const [rank, places] = [0, 1].map((i) => context.dimsOf(context.input(i)).length) as [
    number,
    number,
  ];
  const updates = context.optional(2);
  const batches = updates ? 0 : context.attributes.int('batch_dims', 0);
  const taken = updates ? context.dimsOf(updates) : context.stated(0);
  return taken && rank + places - 1 - batches - taken.length;
}

/** The attribute `reduction` by Baton's name; `undefined` after a failure. */
function scatterMode(context: NodeContext): string | undefined {
  const reduction = context.attributes.string('reduction');
  if (reduction === 'none') return 'update';
  if (['add', 'mul', 'min', 'max'].includes(reduction)) return reduction;
  return context.fail('ONNX_ATTRIBUTE', 'expected reduction none, add, mul, min or max');
}

const SINCE: Readonly<Partial<Record<string, number>>> = { add: 16, mul: 16, min: 18, max: 18 };

function joining(context: CallContext, way: string): NodeAttributeValues | undefined {
  if (way === 'update') return {};
  const first = SINCE[way];
  if (first === undefined) return context.fail(`ONNX has no scatter by ${way}`);
  return context.since(first, `a scatter by ${way}`) ? { reduction: text(way) } : undefined;
}

type Sorted = readonly [values: Operand, places: Operand];

/**
 * The first `count` elements in the order of the call, or all, and their indices as int64. Equal
 * elements keep their order.
 */
function inOrder(context: CallContext, x: Operand, count?: number): Sorted | undefined {
  const dims = context.dims(x);
  const size = count ?? dims[fromFront(context.attrs.int('axis'), dims.length)];
  if (size === undefined || !isStaticDim(size)) {
    return context.unknown('expected a known size of the sorted axis');
  }
  return topK(context, x, context.ints([size]), size);
}

/** `TopK` in the order of the call; `size` is the number of elements, as far as it is known. */
function topK(context: CallContext, x: Operand, count: Operand, size: Dim): Sorted {
  const { attrs } = context;
  const dims = context.dims(x);
  const axis = fromFront(attrs.int('axis'), dims.length);
  const shape = dims.map((dim, i) => (i === axis ? size : dim));
  const attributes = { axis: int(axis), largest: int(!attrs.bool('is_ascend')), sorted: int(1) };
  const types = [tensorType(shape, x.type.dtype), tensorType(shape, 'int64')];
  return context.nodeOf('TopK', [x, count], attributes, types) as [Operand, Operand];
}
