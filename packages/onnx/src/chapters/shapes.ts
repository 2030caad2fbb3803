/** The same elements in another shape: reshapes, axes, repeats. */

import {
  anyDim,
  type Dim,
  dimsEqual,
  type Expr,
  isAnyDim,
  isStaticDim,
  multiplyDims,
  scalarType,
} from '@baton/ir';
import { MAX_RANK, scalar, shapeSize, tensor, toNumbers } from '@baton/tensor';
import { int, ints } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { castTo, fromFront, resultDType } from '../shared/element-types.ts';
import { alongOneAxis, shapeTensor } from '../shared/indices.ts';
import { type Run, reshaped } from '../shared/reshaping.ts';
import { type Chapter, hasOpenInput, type Operands, reads, writes } from '../shared/rows.ts';
import {
  equalList,
  listOf,
  noteEqualCounts,
  reshapeCodes,
  reshapedTo,
  sizesOfInput,
} from '../shared/sizes.ts';
import { broadcastTo, expandDims, range, reshape, reshapeTo } from '../shared/words.ts';

export const shapeOperators: Chapter = [
  reads('Expand', readExpand, {
    kernelSince: 8,
    kernelWhen: (context) => hasOpenInput(context, [1]) && context.sizes(1) === undefined,
  }),
  reads('Flatten', readFlatten, {
    kernelSince: 9,
    kernelWhen: ({ attributes, dimsOf, input }) => {
      const [dims, axis] = [dimsOf(input(0)), attributes.int('axis')];
      return axis !== 1 && [dims.slice(0, axis), dims.slice(axis)].every((part) => !size(part));
    },
  }),
  reads('Identity', (context) => context.input(0)),
  reads('Reshape', readReshape, { since: 5 }),
  reads('Shape', readShape),
  reads('Size', readSize),
  reads('Squeeze', readSqueeze, {
    // The file does at any size what the original does: without axes, the run decides.
    kernelSince: 1,
    kernelReads: [1],
    kernelWhen: (context) =>
      listsNoAxes(context) && !context.dimsOf(context.input(0)).every(isStaticDim),
  }),
  reads('Tile', readTile, {
    since: 6,
    kernelSince: 6,
    kernelReads: [1], // The sizes of the result take more nodes to say.
    kernelWhen: (context) => openReps(context) !== undefined,
  }),
  reads('Unsqueeze', readUnsqueeze),
  writes('nn.batch_flatten', (context, [x]) =>
    reshaped(context, x, [
      { begin: 0, end: 1 },
      { begin: 1, end: context.dims(x).length },
    ]),
  ),
  writes('broadcast_to', (context, [x]) =>
    context.node('Expand', [x, context.ints(context.attrs.ints('shape'))]),
  ),
  writes('broadcast_to_like', (context, [x, like]) =>
    context.node('Expand', [x, shapeTensor(context, like)]),
  ),
  // `contrib_reverse_reshape`: its codes are gone, since the result’s type is known.
  writes('contrib_reverse_reshape', (context, [x]) => reshaped(context, x)),
  writes('dyn.broadcast_to', (context, [x, shape]) =>
    context.node('Expand', [x, castTo(context, shape, 'int64')]),
  ),
  writes('dyn.reshape', writeDynReshape),
  writes('expand_dims', writeExpandDims),
  writes('meshgrid', writeMeshgrid),
  writes('ndarray_size', writeNdarraySize),
  writes('repeat', writeRepeat),
  writes('reshape', writeReshape),
  writes('reshape_like', writeReshapeLike),
  writes('shape_of', writeShapeOf),
  writes('squeeze', writeSqueeze),
  writes('tile', writeTile),
  writes('transpose', writeTranspose),
];

/** `Expand`: both data and shape may have axes of size 1 that the other stretches. */
function readExpand(context: NodeContext): Converted {
  const x = context.input(0);
  const target = sizesOfInput(context, 1);
  const dims = context.dimsOf(x);
  if (target === undefined || context.hasFailed()) return undefined;
  const rank = Math.max(dims.length, target.length);
  const [from, to] = [dims, target].map((list) => padded(list, rank));
  if (from === undefined || to === undefined) return undefined;
  const result = from.map((dim, axis) => spread(dim, to[axis] ?? 1));
  if (result.includes(undefined)) {
    return context.fail('ONNX_SHAPE', `(${dims}) does not broadcast to (${target})`);
  }
  const shape = result.filter((dim) => dim !== undefined);
  if (rank === dims.length && shape.every((dim, axis) => dimsEqual(dim, dims[axis] ?? anyDim))) {
    return x;
  }
  const sizes = shape.filter(isStaticDim);
  return sizes.length === rank
    ? broadcastTo(context, x, sizes)
    : context.call('dyn.broadcast_to', [x, sizesAtRun(context, x, from, to)]);
}

const padded = (dims: ReadonlyArray<Dim>, rank: number): ReadonlyArray<Dim> => [
  ...new Array<Dim>(rank - dims.length).fill(1),
  ...dims,
];

/** The size of an axis of the result: `?` if either may be 1; `undefined` if they do not agree. */
function spread(from: Dim, to: Dim): Dim | undefined {
  if (to === 1 || dimsEqual(from, to)) return from;
  if (from === 1) return to;
  if (isStaticDim(from) && isStaticDim(to)) return undefined;
  if (isStaticDim(from) && !isAnyDim(to)) return from;
  return isStaticDim(from) ? from : isStaticDim(to) ? to : anyDim;
}

/** The sizes of the result: those of the data where the list has 1. */
function sizesAtRun(
  context: NodeContext,
  x: Expr,
  dims: ReadonlyArray<Dim>,
  target: ReadonlyArray<Dim>,
): Expr {
  const { formula } = context;
  const rank = dims.length;
  const list = context.input(1);
  const own = context.dimsOf(x).length;
  const ones = (count: number): Expr => equalList(context, count, 1);
  const inFront = (sizes: Expr, count: number): Expr =>
    count === 0 ? sizes : formula('concatenate((?some, ?sizes))', { some: ones(count), sizes });
  const sizes = own === 0 ? ones(0) : formula('shape_of(?x, dtype="int64")', { x });
  const [count = 0] = context.dimsOf(list);
  const to = inFront(list, rank - Number(count));
  // The list has no 1 where the data has more.
  if (dims.every((dim, axis) => dim === 1 || dimsEqual(dim, target[axis] ?? anyDim))) return to;
  const from = inFront(sizes, rank - own);
  return formula('where(?to == ?one, ?from, ?to)', { to, one: ones(1), from });
}

/** `Flatten`: merges the axes before `axis`, and the axes from it on. */
function readFlatten(context: NodeContext): Converted {
  const x = context.input(0);
  const dims = context.dimsOf(x);
  const given = context.attributes.int('axis');
  const axis = given === dims.length ? given : context.axis(given, dims.length);
  if (axis === 1 && dims.length > 1) return context.call('nn.batch_flatten', [x]);
  const [rows, columns] = [size(dims.slice(0, axis)), size(dims.slice(axis))];
  if (rows === undefined && columns === undefined) {
    return flattened(context, x, axis);
  }
  return reshapeTo(context, x, [rows ?? -1, columns ?? -1]);
}

/** The data as a matrix whose rows the run counts. */
function flattened(context: NodeContext, x: Expr, axis: number): Expr {
  const dims = context.dimsOf(x);
  const parts = [dims.slice(0, axis), dims.slice(axis)];
  const products = parts.map((part) => part.reduce(multiplyDims, 1));
  const codes = reshapeCodes(dims, products);
  if (codes !== undefined) return reshape(context, x, codes);
  const text = `
    %0 = strided_slice(shape_of(?x, dtype="int64"), begin=[0], end=?end);
    dyn.reshape(?x, concatenate((prod(%0, axis=[0], keepdims=True), ?rest)))`;
  return context.formula(text, { x, end: [axis], rest: listOf(context, [-1]) });
}

const size = (dims: ReadonlyArray<Dim>): number | undefined =>
  dims.every(isStaticDim) ? shapeSize(dims) : undefined;

function readReshape(context: NodeContext): Converted {
  const sizes = sizesOfInput(context, 1);
  if (sizes === undefined) return undefined;
  const x = context.input(0);
  const newshape = sizes.filter(isStaticDim);
  // Below −1 Relay has codes of its own, which ONNX does not have.
  const bad = newshape.find((dim) => dim < -1);
  if (bad !== undefined) {
    return context.fail('ONNX_SHAPE', `expected sizes of at least -1, found ${bad}`);
  }
  const allowzero = context.attributes.int('allowzero') === 0 ? 0 : 1;
  noteEqualCounts(context, x, sizes, allowzero);
  return newshape.length === sizes.length
    ? context.call('reshape', [x], { newshape, allowzero })
    : reshapedTo(context, x, sizes, context.input(1), allowzero);
}

/** `Shape`: a constant if the sizes are known at import. */
function readShape(context: NodeContext): Converted {
  const x = context.input(0);
  const dims = context.dimsOf(x);
  // Like Python slices: negative places count from the end, and places outside are clamped.
  const start = context.attributes.int('start');
  const sliced = dims.slice(start, context.attributes.int('end', dims.length));
  const sizes = sliced.filter(isStaticDim);
  if (sizes.length === sliced.length) {
    return context.computed(tensor(sizes, [sizes.length], 'int64'));
  }
  const whole = 'shape_of(?x, dtype="int64")';
  if (sliced.length === dims.length) return context.formula(whole, { x });
  const first = start < 0 ? Math.max(0, start + dims.length) : start;
  const [begin, end] = [[first], [first + sliced.length]];
  return context.formula(`strided_slice(${whole}, begin=?begin, end=?end)`, { x, begin, end });
}

function readSize(context: NodeContext): Converted {
  const shape = context.shapeOf(context.input(0));
  if (shape !== undefined) return context.computed(scalar(shapeSize(shape), 'int64'));
  return context.call('ndarray_size', [context.input(0)], { dtype: 'int64' });
}

function readSqueeze(context: NodeContext): Converted {
  const given = context.version < 13 ? context.attributes.ints('axes') : context.ints(1);
  if (context.hasFailed()) return undefined;
  const axes = listsNoAxes(context) ? axesOfSizeOne(context) : (given ?? null);
  return context.call('squeeze', [context.input(0)], { axis: axes });
}

/** Whether a node states no axes. An empty list means the same as none, as in onnxruntime. */
function listsNoAxes(context: NodeContext): boolean {
  if (context.version < 13) return (context.attributes.ints('axes') ?? []).length === 0;
  const given = context.optional(1);
  const value = given && context.valueOf(given);
  return given === undefined || (value !== undefined && shapeSize(value.shape) === 0);
}

/**
 * The axes of size 1, `null` if all sizes are known. Of axes without a known size, those are dropped
 * that the stated shape of the result does not have. If nothing states its rank they stay, unless no run
 * gets past a later node with them.
 */
function axesOfSizeOne(context: NodeContext): ReadonlyArray<number> | null {
  const dims = context.dimsOf(context.input(0));
  const ones = dims.flatMap((dim, axis) => (dim === 1 ? [axis] : []));
  const open = dims.flatMap((dim, axis) => (isStaticDim(dim) ? [] : [axis]));
  if (open.length === 0) return null;
  const kept = context.stated(0);
  const dropped = dims.length - ones.length - (kept?.length ?? -1);
  const others = open.filter(
    (axis) => kept?.some((other) => dimsEqual(dims[axis] ?? anyDim, other)) !== true,
  );
  const fitting = [[], open, others].find((axes) => axes.length === dropped);
  const shown = (axes: ReadonlyArray<number>): string => axes.join(', ');
  const chosen = fitting ?? (context.reading(`axis ${shown(open)} stays`) === 'first' ? [] : open);
  const stays = open.filter((axis) => !chosen.includes(axis));
  if (stays.length > 0) {
    const what =
      fitting === undefined
        ? 'no rank of the result is stated: it is taken to keep'
        : 'the stated rank of the result keeps';
    context.warn('ONNX_SQUEEZE', `${what} axis ${shown(stays)}, also of size 1`);
  }
  return [...ones, ...chosen].sort((a, b) => a - b);
}

function readTile(context: NodeContext): Converted {
  const [x, list] = [context.input(0), context.input(1)];
  const open = openReps(context);
  if (open === undefined) {
    const known = context.valueOf(list) === undefined ? context.sizes(1) : undefined;
    const reps = known?.filter(isStaticDim) ?? context.ints(1);
    return reps && context.call('tile', [x], { reps });
  }
  const dims = context.dimsOf(x);
  const [count] = context.dimsOf(list);
  // There is one number for each axis.
  const isCounted = count !== undefined && isStaticDim(count);
  const reps = isCounted ? list : reshape(context, list, [dims.length]);
  const made = context.call('dyn.tile', [x, reps]);
  const sizes = dims.map((dim, axis) => multiplyDims(dim, open[axis] ?? anyDim));
  if (context.hasFailed() || sizes.includes(0) || !sizes.some(isStaticDim)) return made;
  const newshape = sizes.map((size) => (isStaticDim(size) ? size : 0));
  return reshape(context, made, newshape);
}

function openReps(context: NodeContext): ReadonlyArray<Dim> | undefined {
  if (context.valueOf(context.input(1)) !== undefined) return undefined;
  const reps = context.sizes(1) ?? context.dimsOf(context.input(0)).map(() => anyDim);
  return reps.every(isStaticDim) ? undefined : reps;
}

function readUnsqueeze(context: NodeContext): Converted {
  const given = context.version < 13 ? context.attributes.ints('axes') : context.ints(1);
  if (context.hasFailed()) return undefined;
  if (given === undefined) return context.fail('ONNX_ATTRIBUTE', 'expected axes');
  const rank = context.dimsOf(context.input(0)).length + given.length;
  if (rank > MAX_RANK)
    return context.fail('ONNX_RANK', `expected at most ${MAX_RANK} dimensions, found ${rank}`);
  const axes = given.map((axis) => context.axis(axis, rank)).sort((a, b) => a - b);
  if (new Set(axes).size < axes.length) {
    return context.fail('ONNX_AXIS', `expected different axes, found ${given.join(', ')}`);
  }
  let result = context.input(0);
  for (let i = 0; i < axes.length && !context.hasFailed(); ) {
    // Adjacent axes are inserted together.
    const axis = axes[i] ?? 0;
    let count = 1;
    while (axes[i + count] === axis + count) count++;
    result = expandDims(context, result, axis, count);
    i += count;
  }
  return result;
}

/** `dyn.reshape`: ONNX has the codes 0 and −1. */
function writeDynReshape(context: CallContext, [x, newshape]: Operands): Written {
  const codes = newshape.constant && Array.from(toNumbers(newshape.constant));
  if (codes?.some((code) => code < -1)) {
    const { all } = context.attrs;
    return context.call('reshape', [x], { newshape: codes, allowzero: all.allowzero ?? 0 });
  }
  const shape = castTo(context, newshape, 'int64');
  const allowzero = context.attrs.int('allowzero');
  return context.node('Reshape', [x, shape], allowzero === 0 ? {} : { allowzero: int(allowzero) });
}

function writeExpandDims(context: CallContext, [x]: Operands): Written {
  const count = context.attrs.int('num_newaxis');
  const first = context.attrs.int('axis');
  const rank = context.dims(x).length;
  const axis = first < 0 ? first + rank + 1 : first;
  if (count === 0) return context.node('Identity', [x]);
  context.room(count);
  return context.node('Unsqueeze', [x, context.ints(range(axis, axis + count))]);
}

function writeMeshgrid(context: CallContext): Written {
  const vectors = context.fields(0);
  const isExchanged = context.attrs.text('indexing') === 'xy' && vectors.length > 1;
  const shape = context.results[0]?.shape ?? [];
  const sizes = '_tag' in shape ? [] : shape.filter(isStaticDim);
  if (sizes.length < vectors.length) {
    return context.unknown('expected vectors of known length');
  }
  return vectors.map((vector, i) => {
    const axis = isExchanged && i < 2 ? 1 - i : i;
    const along = sizes.map((_, at) => (at === axis ? -1 : 1));
    return broadcastTo(context, reshape(context, vector, along), sizes);
  });
}

function writeNdarraySize(context: CallContext, [x]: Operands): Written {
  const size = context.node('Size', [x], {}, scalarType('int64'));
  return castTo(context, size, resultDType(context));
}

function writeRepeat(context: CallContext, [given]: Operands): Written {
  const repeats = context.attrs.int('repeats');
  const { x, axis } = alongOneAxis(context, given);
  const spread = expandDims(context, x, axis + 1);
  const reps = context.dims(spread).map((_, i) => (i === axis + 1 ? repeats : 1));
  const tiled = context.call('tile', [spread], { reps });
  const runs = context.dims(x).map((_, i) => {
    const begin = i > axis ? i + 1 : i;
    return { begin, end: i === axis ? begin + 2 : begin + 1 };
  });
  return reshaped(context, tiled, runs);
}

/** `reshape`: static sizes come from the type of the result, open ones from the codes. */
function writeReshape(context: CallContext, [x]: Operands): Written {
  const { attrs } = context;
  const rank = context.dims(x).length;
  return reshaped(context, x, runsOf(attrs.ints('newshape'), rank, attrs.int('allowzero') === 0));
}

/**
 * The axes of the data that make each axis of the result, by the codes: 0 copies one, −2 the rest,
 * −3 merges two, −4 splits one.
 */
function runsOf(
  codes: ReadonlyArray<number>,
  rank: number,
  zeroCopies: boolean,
): ReadonlyArray<Run | undefined> {
  const runs: (Run | undefined)[] = [];
  let begin = 0;
  const take = (count: number): void => {
    runs.push({ begin, end: begin + count });
    begin += count;
  };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i];
    if (code === -2) while (begin < rank) take(1);
    else if (code === -3) take(2);
    else if (code === 0 && zeroCopies) take(1);
    else {
      const [first = 1, second = 1] = code === -4 ? codes.slice(i + 1, i + 3) : [];
      const part = (over: number): Run => ({ begin, end: begin + 1, over });
      if (code === -4) runs.push(part(second), part(first));
      else runs.push(undefined);
      if (code === -4) i += 2;
      begin++;
    }
  }
  return runs;
}

function writeReshapeLike(context: CallContext, [x, like]: Operands): Written {
  const [left, right] = [rangeOf(context, 'lhs', x), rangeOf(context, 'rhs', like)];
  const runs = (from: number, to: number, of?: Operand): ReadonlyArray<Run> =>
    range(from, to).map((begin) => ({ begin, end: begin + 1, ...(of && { of }) }));
  return reshaped(context, x, [
    ...runs(0, left.begin),
    ...runs(right.begin, right.end, like),
    ...runs(left.end, context.dims(x).length),
  ]);
}

function rangeOf({ attrs, dims }: CallContext, side: 'lhs' | 'rhs', x: Operand): Run {
  const rank = dims(x).length;
  const end = attrs.value(`${side}_end`) === null ? rank : attrs.int(`${side}_end`);
  return { begin: fromFront(attrs.int(`${side}_begin`), rank), end: fromFront(end, rank) };
}

/** `shape_of`: of a scalar, a scalar 0. */
function writeShapeOf(context: CallContext, [x]: Operands): Written {
  if (context.dims(x).length === 0) return context.scalar(0, resultDType(context));
  return castTo(context, shapeTensor(context, x), resultDType(context));
}

function writeSqueeze(context: CallContext, [x]: Operands): Written {
  const given = context.attrs.value('axis');
  const dims = context.dims(x);
  const axes = Array.isArray(given)
    ? given.map((axis) => fromFront(Number(axis), dims.length))
    : dims.flatMap((dim, axis) => (dim === 1 ? [axis] : []));
  return axes.length === 0
    ? context.node('Identity', [x])
    : context.node('Squeeze', [x, context.ints(axes)]);
}

function writeTile(context: CallContext, [x]: Operands): Written {
  const reps = context.attrs.ints('reps');
  const rank = context.dims(x).length;
  const missing = Math.max(0, reps.length - rank);
  const data = missing === 0 ? x : expandDims(context, x, 0, missing);
  const ones = new Array<number>(Math.max(0, rank - reps.length)).fill(1);
  const counts = [...ones, ...reps];
  return counts.length === 0
    ? context.node('Identity', [data])
    : context.node('Tile', [data, context.ints(counts)]);
}

function writeTranspose(context: CallContext, [x]: Operands): Written {
  const rank = context.dims(x).length;
  if (context.attrs.value('axes') === null) return context.node('Transpose', [x]);
  const perm = context.attrs.ints('axes').map((axis) => fromFront(axis, rank));
  return context.node('Transpose', [x], { perm: ints(perm) });
}
