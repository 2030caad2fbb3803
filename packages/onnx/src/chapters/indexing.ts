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
import { type Chapter, reads, writes } from '../shared/rows.ts';
import { loneNumber } from '../shared/sequences.ts';
import {
  broadcastTo,
  cast,
  concatenate,
  expandDims,
  reshape,
  reshapeTo,
  slice,
  stack,
  take,
  transpose,
} from '../shared/words.ts';

/** The rows of this chapter. */
export const indexingOperators: Chapter = [
  reads('Compress', readCompress),
  reads('Gather', readGather),
  reads('GatherND', readGatherNd),
  reads('NonZero', readNonZero),
  reads('OneHot', readOneHot),
  // `Scatter`, the name of `ScatterElements` before operator set 11.
  reads('Scatter', ({ attributes, call, input }) =>
    call('scatter_elements', [input(0), input(1), input(2)], {
      axis: attributes.int('axis'),
      reduction: 'update',
    }),
  ),
  reads('ScatterElements', readScatterElements),
  reads('ScatterND', readScatterNd),
  reads('TensorScatter', readTensorScatter),
  reads('TfIdfVectorizer', readTfIdfVectorizer, { kernelSince: 9 }),
  reads('TopK', readTopK, { since: 10 }),
  reads('Trilu', readTrilu),
  reads('Unique', readUnique, { kernelSince: 11 }),
  writes('adv_index', writeAdvIndex),
  writes('argsort', writeArgsort),
  writes('argwhere', writeArgwhere),
  writes('dyn.topk', writeDynTopk),
  writes('gather', (context, x, places) =>
    context.node('GatherElements', [x, asIndices(context, places)], {
      axis: int(context.attrs.int('axis')),
    }),
  ),
  writes('gather_nd', (context, x, columns) =>
    context.node('GatherND', [x, indexRows(context, columns)], {
      batch_dims: int(context.attrs.int('batch_dims')),
    }),
  ),
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

/** `Compress` by a constant condition: the slices along an axis at which it holds. */
function readCompress(context: NodeContext): Converted {
  const x = context.input(0);
  const condition = context.valueOf(context.input(1));
  if (condition === undefined) {
    return context.unknown('expected a constant condition as input 1');
  }
  const isFlat = !context.attributes.has('axis');
  const dims = context.dimsOf(x);
  const axis = isFlat ? 0 : context.axis(context.attributes.int('axis', 0), dims.length);
  if (context.hasFailed()) return undefined;
  const shape = isFlat ? context.shapeOf(x) : undefined;
  const size = isFlat ? shape && shapeSize(shape) : dims[axis];
  const places = Array.from(toNumbers(condition)).flatMap((holds, i) => (holds ? [i] : []));
  if (typeof size === 'number' && places.some((place) => place >= size)) {
    return context.fail('ONNX_INDEX', `expected a condition of at most ${size} elements`);
  }
  const data = isFlat ? reshape(context, x, [-1]) : x;
  const indices = context.constant(tensor(places, [places.length], 'int64'));
  return take(context, data, indices, axis);
}

/** `Gather`: slices along one axis; negative indices count from the end. */
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

/** `GatherND`: the slice that each row of indices names. */
function readGatherNd(context: NodeContext): Converted {
  const columns = indexColumns(context, context.input(1));
  if (columns === undefined) return undefined;
  const batch_dims = context.attributes.int('batch_dims');
  return context.call('gather_nd', [context.input(0), columns], { batch_dims });
}

/** `NonZero`: the indices of nonzero elements, one in each column. */
function readNonZero(context: NodeContext): Converted {
  const columns = context.formula('transpose(argwhere(?x), axes=[1, 0])', { x: context.input(0) });
  return cast(context, columns, 'int64');
}

/** `OneHot` of a constant depth; negative indices count from the end. */
function readOneHot(context: NodeContext): Converted {
  const depth = loneNumber(context, context.input(1));
  if (depth === undefined) {
    return context.unknown('expected a constant depth as input 1');
  }
  const count = Math.trunc(depth);
  const indices = cast(context, context.input(0), 'int64');
  const isNegative = context.call('less', [indices, 0]);
  const fromEnd = context.call('add', [indices, count]);
  const places = context.call('where', [isNegative, fromEnd, indices]);
  const values = context.input(2);
  const value = (index: number): Expr => take(context, values, context.scalar(index, 'int64'), 0);
  return context.call('one_hot', [places, value(1), value(0)], {
    depth: count,
    axis: context.attributes.int('axis'),
    dtype: context.dtypeOf(values),
  });
}

/** `ScatterElements`: each update combines with the element at its index. */
function readScatterElements(context: NodeContext): Converted {
  const reduction = scatterMode(context);
  if (reduction === undefined) return undefined;
  const args = [context.input(0), context.input(1), context.input(2)];
  const axis = context.attributes.int('axis');
  return context.call('scatter_elements', args, { axis, reduction });
}

/** `ScatterND`: each update combines with the slice at a row of indices. */
function readScatterNd(context: NodeContext): Converted {
  const mode = scatterMode(context);
  const columns = indexColumns(context, context.input(1));
  if (mode === undefined || columns === undefined) return undefined;
  return context.call('scatter_nd', [context.input(0), columns, context.input(2)], { mode });
}

/** `TensorScatter`: a cache with updates from a place of each batch on. */
function readTensorScatter(context: NodeContext): Converted {
  const { call } = context;
  const [cache, update, starts] = [context.input(0), context.input(1), context.optional(2)];
  const shape = context.shapeOf(update);
  const dims = context.dimsOf(cache);
  const axis = context.axis(context.attributes.int('axis'), dims.length);
  const [length, count] = [dims[axis], shape?.[axis]];
  if (context.hasFailed()) return undefined;
  if (shape === undefined || count === undefined || typeof length !== 'number') {
    return context.unknown('expected known sizes of the cache and of its update');
  }
  const alone = (at: number) => shape.map((_, i) => (i === at ? -1 : 1));
  const bounds = [0, count, 1].map((n) => context.scalar(n, 'int64'));
  const places = call('arange', bounds, { dtype: 'int64' });
  const own = reshape(context, places, alone(axis));
  const from = starts && reshape(context, starts, alone(0));
  const moved = from ? call('add', [own, from]) : own;
  const isCircular = context.attributes.string('mode') === 'circular';
  const wrapped = isCircular ? call('floor_mod', [moved, length]) : moved;
  const indices = broadcastTo(context, wrapped, shape);
  return call('scatter_elements', [cache, indices, update], { axis, reduction: 'update' });
}

/** `TfIdfVectorizer` of integers: how often known sequences stand in the data. */
function readTfIdfVectorizer(context: NodeContext): Converted {
  const { attributes, call } = context;
  const x = context.input(0);
  const shape = context.shapeOf(x);
  if (attributes.has('pool_strings')) {
    return context.fail('ONNX_UNSUPPORTED', 'sequences of texts are not imported');
  }
  if (shape === undefined) return context.unknown('expected data of known size', x);
  if (shape.length < 1 || shape.length > 2) {
    return context.fail('ONNX_SHAPE', `expected data of rank 1 or 2, found ${shape.length}`);
  }
  const places = attributes.ints('ngram_indexes') ?? [];
  const grams = gramsOf(context);
  const wrong = grams.length !== places.length || new Set(places).size < places.length;
  if (wrong) {
    return context.fail('ONNX_ATTRIBUTE', 'expected a place of its own for each sequence');
  }
  const nothing = call('zeros', [], { shape: [...shape.slice(0, -1), 1], dtype: 'float32' });
  const counted = countsOf(context, x, shape.at(-1) ?? 0, grams);
  const columns = [nothing, ...counted.map(({ counts }) => counts)];
  const all = concatenate(context, columns, -1);
  // Column 0 is for the places of what is not counted.
  const columnOf = new Map(
    counted.flatMap(({ indices }) => indices).map((gram, i) => [places[gram], i + 1]),
  );
  const size = places.reduce((most, place) => Math.max(most, place + 1), 0);
  context.room(size);
  const order = Array.from({ length: size }, (_, place) => columnOf.get(place) ?? 0);
  const indices = context.constant(tensor(order, [size], 'int64'));
  return weighted(context, take(context, all, indices, -1), places, size);
}

/** The sequences that are looked for, from the short ones to the long ones. */
function gramsOf({ attributes }: NodeContext): ReadonlyArray<ReadonlyArray<number>> {
  const pool = attributes.ints('pool_int64s') ?? [];
  const starts = attributes.ints('ngram_counts') ?? [];
  return starts.flatMap((start, i) => {
    const length = i + 1;
    const part = pool.slice(start, starts[length] ?? pool.length);
    return Array.from({ length: Math.floor(part.length / length) }, (_, k) =>
      part.slice(k * length, (k + 1) * length),
    );
  });
}

interface Counted {
  /** The positions of the sequences in the list of all. */
  readonly indices: ReadonlyArray<number>;
  /** A number for each of them. */
  readonly counts: Expr;
}

/** The numbers of sequences of each length that is counted, with each number of skipped elements. */
function countsOf(
  context: NodeContext,
  x: Expr,
  size: number,
  grams: ReadonlyArray<ReadonlyArray<number>>,
): ReadonlyArray<Counted> {
  const { attributes, call, formula } = context;
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
      const matches = Array.from({ length }, (_, k) => {
        const values = indices.map((i) => grams[i]?.[k] ?? 0);
        return matching(context, x, [k * step, k * step + windows], values);
      });
      const both = matches.reduce((a, b) => call('logical_and', [a, b]));
      found.push(formula('sum(cast(?both, dtype="float32"), axis=[-2])', { both }));
    }
    return found.length === 0
      ? []
      : [{ indices, counts: found.reduce((a, b) => call('add', [a, b])) }];
  });
}

/** Which of the values each element of a part of the data equals. */
function matching(
  context: NodeContext,
  x: Expr,
  [begin, end]: readonly [number, number],
  values: ReadonlyArray<number>,
): Expr {
  const { formula } = context;
  const axis = context.dimsOf(x).length - 1;
  const part = slice(context, x, axis, begin, end);
  const dtype = context.dtypeOf(x);
  const wanted = context.constant(tensor(values, [values.length], dtype));
  return formula('expand_dims(?part, axis=?axis) == ?wanted', { part, axis: axis + 1, wanted });
}

/** The counts, or by `mode` the weights of what occurs, or their products. */
function weighted(
  context: NodeContext,
  counts: Expr,
  places: ReadonlyArray<number>,
  size: number,
): Expr | undefined {
  const { attributes, call, formula } = context;
  const mode = attributes.string('mode', 'TF');
  const given = attributes.floats('weights') ?? places.map(() => 1);
  if (given.length !== places.length) {
    const message = `expected ${places.length} weights, found ${given.length}`;
    return context.fail('ONNX_ATTRIBUTE', message);
  }
  const weightAt = new Map(places.map((place, i) => [place, given[i]]));
  const ordered = Array.from({ length: size }, (_, place) => weightAt.get(place) ?? 0);
  const weights = context.constant(tensor(ordered, [size], 'float32'));
  switch (mode) {
    case 'TF':
      return counts;
    case 'IDF':
      return formula('minimum(?counts, 1) * ?weights', { counts, weights });
    case 'TFIDF':
      return call('multiply', [counts, weights]);
    default:
      return context.fail('ONNX_ATTRIBUTE', `expected TF, IDF or TFIDF as mode, found ${mode}`);
  }
}

/** `TopK`; the results are always sorted. */
function readTopK(context: NodeContext): Converted {
  const [x, count] = [context.input(0), context.input(1)];
  const attrs = {
    axis: context.attributes.int('axis'),
    is_ascend: context.attributes.int('largest') === 0,
    dtype: 'int64',
  };
  if (context.valueOf(count) === undefined) {
    const k = reshape(context, count, []);
    const found = context.call('dyn.topk', [x, k], attrs);
    return [context.field(found, 0), context.field(found, 1)];
  }
  const [k = 0] = context.ints(1) ?? [];
  if (context.hasFailed()) return undefined;
  if (k < 1) return context.fail('ONNX_UNSUPPORTED', `expected k of 1 or more, found ${k}`);
  const found = context.call('topk', [x], { k, ...attrs });
  return [context.field(found, 0), context.field(found, 1)];
}

/** `Trilu`: a triangle of each matrix. */
function readTrilu(context: NodeContext): Converted {
  const k = context.optional(1) ?? context.scalar(0, 'int64');
  const isScalar = context.dimsOf(k).length === 0;
  const diagonal = isScalar ? k : reshape(context, k, []);
  const upper = context.attributes.int('upper') !== 0;
  return context.call('trilu', [context.input(0), diagonal], { upper });
}

/** `Unique` of flattened data: each element once, with its first place, its number and its ranks. */
function readUnique(context: NodeContext): Converted {
  const { attributes, call } = context;
  const x = context.input(0);
  const dims = context.dimsOf(x);
  if (attributes.has('axis') && dims.length !== 1) {
    return context.fail('ONNX_UNSUPPORTED', 'unique slices along an axis are not imported');
  }
  if (dims.includes(0)) {
    const none = call('zeros', [], { shape: [0], dtype: 'int64' });
    return [reshapeTo(context, x, [0]), none, none, none];
  }
  const found = ofSorted(context, reshape(context, x, [-1]));
  if (attributes.int('sorted') !== 0) return found;
  const [values, places, ranks, counts] = found;
  const order = call('argsort', [places], { axis: 0, dtype: 'int64' });
  const inOrder = (data: Expr): Expr => take(context, data, order, 0);
  const newRanks = call('argsort', [order], { axis: 0, dtype: 'int64' });
  const inverse = take(context, newRanks, ranks, 0);
  return [inOrder(values), inOrder(places), inverse, inOrder(counts)];
}

/** The unique elements in ascending order, their first places, the ranks of all, and the counts. */
function ofSorted(context: NodeContext, x: Expr): readonly [Expr, Expr, Expr, Expr] {
  const { call, formula } = context;
  const joined = (a: Expr, b: Expr): Expr => concatenate(context, [a, b], 0);
  const order = call('argsort', [x], { axis: 0, dtype: 'int64' });
  const sorted = take(context, x, order, 0);
  const next = after(context, sorted);
  const last = slice(context, sorted, 0, 0, -1);
  const yes = call('ones', [], { shape: [1], dtype: 'bool' });
  const isFirst = joined(yes, call('not_equal', [next, last]));
  const places = formula('squeeze(argwhere(?isFirst), axis=[1])', { isFirst });
  const starts = cast(context, places, 'int64');
  const steps = formula('cumsum(cast(?isFirst, dtype="int64"), axis=0)', { isFirst });
  const rank = call('subtract', [steps, 1]);
  const blank = call('zeros_like', [rank]);
  const ranks = call('scatter_elements', [blank, order, rank], { axis: 0, reduction: 'update' });
  const size = call('shape_of', [x], { dtype: 'int64' });
  const counts = call('subtract', [joined(after(context, starts), size), starts]);
  const at = (data: Expr): Expr => take(context, data, starts, 0);
  return [at(sorted), at(order), ranks, counts];
}

/** All elements but the first. */
const after = (context: NodeContext, x: Expr): Expr =>
  slice(context, x, 0, 1, Number.MAX_SAFE_INTEGER);

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

/** `argsort`: the places of all of the largest or of the smallest. */
function writeArgsort(context: CallContext, x: Operand): Written {
  const { attrs } = context;
  const order = { axis: attrs.int('axis'), ascending: attrs.bool('is_ascend'), count: undefined };
  const places = inOrder(context, x, order)?.[1];
  return places && castTo(context, places, resultDType(context));
}

/** `argwhere`: the columns of `NonZero` as rows. */
function writeArgwhere(context: CallContext, x: Operand): Written {
  const rank = context.dims(x).length;
  if (rank === 0) return context.fail('NonZero of a scalar has other results');
  const columns = context.node('NonZero', [x], {}, tensorType([rank, anyDim], 'int64'));
  return castTo(context, context.call('transpose', [columns]), 'int32');
}

/** `dyn.topk`: as `topk`, for a number of elements that the run computes. */
function writeDynTopk(context: CallContext, x: Operand, k: Operand): Written {
  const { attrs } = context;
  const dims = context.dims(x);
  const axis = fromFront(attrs.int('axis'), dims.length);
  const count = reshape(context, castTo(context, k, 'int64'), [1]);
  const shape = dims.map((dim, i): Dim => (i === axis ? anyDim : dim));
  const [values, own] = context.nodeOf(
    'TopK',
    [x, count],
    { axis: int(axis), largest: int(!attrs.bool('is_ascend')), sorted: int(1) },
    [tensorType(shape, x.type.dtype), tensorType(shape, 'int64')],
  );
  if (values === undefined || own === undefined) return undefined;
  const dtype = attrs.text('dtype');
  const places = isDType(dtype) ? castTo(context, own, dtype) : own;
  const wanted = attrs.text('ret_type');
  if (wanted === 'both') return [values, places];
  return wanted === 'values' ? values : places;
}

/** `invert_permutation`: each place is scattered to its value. */
function writeInvertPermutation(context: CallContext, x: Operand): Written {
  const [length] = context.shape(x) ?? [];
  if (length === undefined) return undefined;
  context.room(length);
  const places = context.constant(placesOf([length], context.dtype(x)));
  return context.call('scatter_elements', [places, x, places]);
}

/** `one_hot`, by comparing: `OneHot` takes negative indices from the end. */
function writeOneHot(context: CallContext, indices: Operand, on: Operand, off: Operand): Written {
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

/** `scatter_elements`. */
function writeScatterElements(
  context: CallContext,
  x: Operand,
  places: Operand,
  updates: Operand,
): Written {
  const way = joining(context, context.attrs.text('reduction'));
  const axis = int(context.attrs.int('axis'));
  return (
    way &&
    context.node('ScatterElements', [x, asIndices(context, places), updates], { axis, ...way })
  );
}

/** `scatter_nd`: the index moves to the last axis. */
function writeScatterNd(
  context: CallContext,
  x: Operand,
  columns: Operand,
  updates: Operand,
): Written {
  const way = joining(context, context.attrs.text('mode'));
  return way && context.node('ScatterND', [x, indexRows(context, columns), updates], way);
}

/** `searchsorted`: the number of elements before each value. */
function writeSearchsorted(context: CallContext, sequence: Operand, values: Operand): Written {
  const { call } = context;
  const rows = context.dims(sequence).length > 1 ? expandDims(context, sequence, -2) : sequence;
  const each = expandDims(context, values, -1);
  const isBefore = call(context.attrs.bool('right') ? 'less_equal' : 'less', [rows, each]);
  const count = call('sum', [castTo(context, isBefore, 'int32')], { axis: [-1] });
  return castTo(context, count, resultDType(context));
}

/** `sequence_mask`: places are compared with lengths. */
function writeSequenceMask(context: CallContext, x: Operand, lengths: Operand): Written {
  const { call } = context;
  const axis = context.attrs.int('axis');
  const rank = context.dims(x).length;
  const size = context.dims(x)[axis];
  if (typeof size !== 'number') {
    return context.unknown('expected a known size of the masked axis');
  }
  context.room(size);
  const places = context.constant(placesOf([size], context.dtype(lengths)));
  const along = (vector: Operand, at: number) => alongAxis(context, vector, at, rank);
  const isValid = call('less', [along(places, axis), along(lengths, 1 - axis)]);
  const value = context.scalar(context.attrs.float('mask_value'), context.dtype(x));
  return call('where', [isValid, x, value]);
}

/** `sort`: all of the largest or of the smallest. */
function writeSort(context: CallContext, x: Operand): Written {
  const { attrs } = context;
  const order = { axis: attrs.int('axis'), ascending: attrs.bool('is_ascend'), count: undefined };
  return inOrder(context, x, order)?.[0];
}

/** `sparse_to_dense`: updates scattered into copies of the other value. */
function writeSparseToDense(
  context: CallContext,
  indices: Operand,
  values: Operand,
  other: Operand,
): Written {
  const shape = context.attrs.ints('output_shape');
  const count = context.shape(indices)?.[0] ?? 1;
  const rows = reshape(context, indices, [count, shape.length]);
  const columns = transpose(context, rows, [1, 0]);
  const updates = broadcastTo(context, values, [count]);
  const data = broadcastTo(context, other, shape);
  return context.call('scatter_nd', [data, columns, updates], { mode: 'update' });
}

/** `take`: `Gather`, with indices out of range brought into it first. */
function writeTake(context: CallContext, given: Operand, places: Operand): Written {
  const { attrs } = context;
  if (attrs.int('batch_dims') !== 0) return context.fail('Gather has no batches');
  const { x, axis } = alongOneAxis(context, given);
  const indices = inRange(context, asIndices(context, places), x, axis);
  return indices && context.node('Gather', [x, indices], { axis: int(axis) });
}

/** The indices by the mode of the call. */
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

/** `topk`: the values, the places, or both. */
function writeTopk(context: CallContext, x: Operand): Written {
  const { attrs } = context;
  const k = attrs.int('k');
  const order = { axis: attrs.int('axis'), ascending: attrs.bool('is_ascend') };
  const found = inOrder(context, x, { ...order, count: k <= 0 ? undefined : k });
  if (found === undefined) return undefined;
  const [values, own] = found;
  const dtype = attrs.text('dtype');
  const places = isDType(dtype) ? castTo(context, own, dtype) : own;
  const wanted = attrs.text('ret_type');
  if (wanted === 'both') return [values, places];
  return wanted === 'values' ? values : places;
}

/** `trilu`. */
function writeTrilu(context: CallContext, x: Operand, k: Operand): Written {
  if (!context.since(14, 'Trilu')) return undefined;
  const diagonal = castTo(context, k, 'int64');
  return context.node('Trilu', [x, diagonal], { upper: int(context.attrs.bool('upper')) });
}

/** `unique`: `Unique`, whose number of elements is a shape. */
function writeUnique(context: CallContext, x: Operand): Written {
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
function writeUnravelIndex(context: CallContext, places: Operand, shape: Operand): Written {
  const sizes = shape.constant && toNumbers(shape.constant);
  if (sizes === undefined) return context.fail('expected a known shape');
  const strides = rowMajorStrides(Array.from(sizes));
  const rows = Array.from(sizes, (size, axis) => {
    const quotient = context.call('floor_divide', [places, strides[axis] ?? 1]);
    return context.call('floor_mod', [quotient, size]);
  });
  return stack(context, rows, 0);
}

/** The indices with their last axis first; `undefined` after a failure. */
function indexColumns(context: NodeContext, indices: Expr): Expr | undefined {
  const dims = context.dimsOf(indices);
  const rank = dims.length;
  if (context.hasFailed()) return undefined;
  if (rank === 0) return context.fail('ONNX_RANK', 'expected indices of rank 1 or more');
  if (typeof dims[rank - 1] !== 'number') {
    return context.unknown('expected indices of a known number of columns');
  }
  if (rank === 1) return indices;
  const axes = [rank - 1, ...Array.from({ length: rank - 1 }, (_, i) => i)];
  return transpose(context, indices, axes);
}

/** The attribute `reduction` by Baton's name; `undefined` after a failure. */
function scatterMode(context: NodeContext): string | undefined {
  const reduction = context.attributes.string('reduction');
  if (reduction === 'none') return 'update';
  if (['add', 'mul', 'min', 'max'].includes(reduction)) return reduction;
  return context.fail('ONNX_ATTRIBUTE', 'expected reduction none, add, mul, min or max');
}

/** The operator set that has each way besides replacing. */
const SINCE: Readonly<Partial<Record<string, number>>> = { add: 16, mul: 16, min: 18, max: 18 };

/** The attribute of a way; `undefined` after a failure. */
function joining(context: CallContext, way: string): NodeAttributeValues | undefined {
  if (way === 'update') return {};
  const first = SINCE[way];
  if (first === undefined) return context.fail(`ONNX has no scatter by ${way}`);
  return context.since(first, `a scatter by ${way}`) ? { reduction: text(way) } : undefined;
}

/**
 * The first `count` elements along an axis in order, or all, and their places as int64. Equal
 * elements keep their order.
 */
function inOrder(
  context: CallContext,
  x: Operand,
  given: { readonly axis: number; readonly ascending: boolean; readonly count: number | undefined },
): readonly [values: Operand, places: Operand] | undefined {
  const dims = context.dims(x);
  const axis = fromFront(given.axis, dims.length);
  const size = given.count ?? dims[axis];
  if (size === undefined || !isStaticDim(size)) {
    return context.unknown('expected a known size of the sorted axis');
  }
  const shape = dims.map((dim, i) => (i === axis ? size : dim));
  const [values, places] = context.nodeOf(
    'TopK',
    [x, context.ints([size])],
    { axis: int(axis), largest: int(!given.ascending), sorted: int(1) },
    [tensorType(shape, x.type.dtype), tensorType(shape, 'int64')],
  );
  return values === undefined || places === undefined ? undefined : [values, places];
}
