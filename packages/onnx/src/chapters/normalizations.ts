/** Normalizations, softmax among them. */

import { type Dim, type Expr, isStaticDim } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import { float, holdsFloat, int } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { elementType } from '../protobuf/element-type.ts';
import { fromFront, inFloat32, inWide, ofType, widened } from '../shared/element-types.ts';
import { alongAxis } from '../shared/reshaping.ts';
import { type Chapter, reads, writes } from '../shared/rows.ts';
import { expandDims, reshape, transpose } from '../shared/words.ts';

/** The rows of this chapter. */
export const normalizationOperators: Chapter = [
  reads('BatchNormalization', readBatchNormalization, { since: 7 }),
  reads('GroupNormalization', readGroupNormalization),
  reads('Hardmax', readHardmax),
  reads('LayerNormalization', readLayerNormalization, {
    kernelSince: 17, // One formula for three results: what they share is computed once only if it stays together.
    kernelWhen: ({ isUsed }) => isUsed(1) || isUsed(2),
  }),
  reads('LogSoftmax', (context) => softmaxOf(context, 'nn.log_softmax', context.version)),
  reads('LpNormalization', readLpNormalization),
  reads('LRN', readLrn),
  reads('MeanVarianceNormalization', readMeanVarianceNormalization),
  reads('RMSNormalization', readRmsNormalization),
  reads('Softmax', (context) => softmaxOf(context, 'nn.softmax', context.version)),
  writes('nn.batch_norm', writeBatchNorm),
  writes('nn.fast_softmax', 'nn.softmax(?x, axis=?axis)'),
  inFloat32(
    writes('nn.group_norm', writeGroupNorm),
    ({ attrs, opset }) => !(opset >= 21 && attrs.bool('scale') && attrs.bool('center')),
  ),
  writes('nn.instance_norm', writeInstanceNorm),
  inFloat32(
    writes('nn.l2_normalize', '?x / sqrt(maximum(sum(?x * ?x, axis=?axis, keepdims=True), ?eps))'),
  ),
  inFloat32(writes('nn.layer_norm', writeLayerNorm), ({ opset }) => opset < 17),
  writes('nn.log_softmax', 'LogSoftmax(?x, axis=?axis)'),
  writes('nn.lrn', writeLrn),
  writes('nn.softmax', 'Softmax(?x, axis=?axis)'),
];

/**
 * `BatchNormalization` with given statistics, or in training with those of the batch, which the
 * running ones follow.
 */
function readBatchNormalization(context: NodeContext): Converted {
  const { attributes } = context;
  if (attributes.int('spatial') !== 1) {
    return context.fail('ONNX_UNSUPPORTED', 'statistics of each activation are not imported');
  }
  const [x, scale, bias] = [0, 1, 2].map((index) => context.input(index)) as [Expr, Expr, Expr];
  const running = [3, 4].map((index) => context.input(index));
  const normalized = (inputs: ReadonlyArray<Expr>): Expr =>
    context.field(context.call('nn.batch_norm', inputs, { axis: 1, epsilon }), 0);
  // ONNX's default is 1e-5 as a float32.
  const epsilon = attributes.float('epsilon');
  if (attributes.int('training_mode') === 0) {
    return inOneType(context, [x, scale, bias, ...running], normalized);
  }
  const data = widened(context, x);
  const found = statisticsOf(context, data);
  const momentum = attributes.float('momentum');
  const { call } = context;
  const followed = found.map((now, i) => {
    const before = running[i] as Expr;
    const dtype = context.dtypeOf(now);
    const kept = call('multiply', [ofType(context, before, dtype), momentum]);
    const sum = call('add', [kept, call('multiply', [now, 1 - momentum])]);
    return ofType(context, sum, context.dtypeOf(before));
  });
  const result = inOneType(context, [data, scale, bias, ...found], normalized);
  return [ofType(context, result, context.dtypeOf(x)), ...followed];
}

/** A call whose arguments need one type, here the widest of theirs. The result has the first's. */
function inOneType(
  context: NodeContext,
  inputs: ReadonlyArray<Expr>,
  of: (inputs: ReadonlyArray<Expr>) => Expr,
): Expr {
  const dtypes = inputs.map(context.dtypeOf);
  const [first = 'float32'] = dtypes;
  if (dtypes.every((dtype) => dtype === first)) return of(inputs);
  const widest = dtypes.includes('float64') ? 'float64' : 'float32';
  const result = of(inputs.map((input) => ofType(context, input, widest)));
  return ofType(context, result, first);
}

/** The mean and the variance of each channel of a batch, by the number of its elements. */
function statisticsOf({ formula }: NodeContext, x: Expr): readonly [mean: Expr, variance: Expr] {
  const text =
    '%0 = ?x - mean(?x, axis=[1], exclude=True, keepdims=True); mean(%0 * %0, axis=[1], exclude=True)';
  return [formula('mean(?x, axis=[1], exclude=True)', { x }), formula(text, { x })];
}

/** `GroupNormalization`: scale and bias are per group before 21, per channel since. */
function readGroupNormalization(context: NodeContext): Converted {
  const x = context.input(0);
  const groups = context.attributes.int('num_groups', 0);
  const channels = context.dimsOf(x)[1];
  if (typeof channels !== 'number') return context.unknown('expected known channels');
  if (groups < 1 || channels % groups !== 0) {
    const found = `expected groups that divide ${channels} channels, found ${groups}`;
    return context.fail('ONNX_ATTRIBUTE', found);
  }
  const each = (vector: Expr): Expr =>
    context.version >= 21
      ? vector
      : context.call('repeat', [vector], { repeats: channels / groups, axis: 0 });
  return context.call('nn.group_norm', [x, each(context.input(1)), each(context.input(2))], {
    num_groups: groups,
    axis: 1,
    epsilon: context.attributes.float('epsilon'),
  });
}

/** `Hardmax`: 1 at the first greatest element along an axis, before 13 over all axes from it on, 0 elsewhere. */
function readHardmax(context: NodeContext): Converted {
  const x = context.input(0);
  const rank = context.dimsOf(x).length;
  const given = context.attributes.int('axis', context.version < 13 ? 1 : -1);
  // Before 13, axis = rank is legal, and leaves no axis.
  const isEnd = context.version < 13 && given === rank;
  const axis = isEnd ? given : context.axis(given, rank);
  if (context.hasFailed()) return undefined;
  const along = (data: Expr, at: number): Expr | undefined => greatest(context, data, at);
  return context.version < 13 ? overTrailingAxes(context, x, axis, along) : along(x, axis);
}

/** 1 at the first greatest element along an axis. */
function greatest(context: NodeContext, x: Expr, axis: number): Expr | undefined {
  const dims = context.dimsOf(x);
  const depth = dims[context.axis(axis, dims.length)];
  if (typeof depth !== 'number') {
    return context.unknown(`expected a known size of axis ${axis}`);
  }
  const dtype = context.dtypeOf(x);
  const place = context.call('argmax', [x], { axis });
  const [on, off] = [context.scalar(1, dtype), context.scalar(0, dtype)];
  return context.call('one_hot', [place, on, off], { depth, axis, dtype });
}

/** `LayerNormalization` over the axes from `axis` on, with mean and deviation if they are used. */
function readLayerNormalization(context: NodeContext): Converted {
  const [x, scale, bias] = [context.input(0), context.input(1), context.optional(2)];
  const rank = context.dimsOf(x).length;
  const first = context.axis(context.attributes.int('axis'), rank);
  if (context.hasFailed()) return undefined;
  const epsilon = context.attributes.float('epsilon');
  const isPlain = !context.isUsed(1) && !context.isUsed(2);
  const isVector = context.dimsOf(scale).length === 1;
  if (isPlain && isVector && bias !== undefined && first === rank - 1) {
    return context.call('nn.layer_norm', [x, scale, bias], { axis: first, epsilon });
  }
  const { result, mean, inverse } = normalized(context, x, scale, bias, first);
  return [result, mean, inverse];
}

/** `LpNormalization`: x divided by its norm along an axis. */
function readLpNormalization(context: NodeContext): Converted {
  const x = context.input(0);
  const p = context.attributes.int('p');
  if (p !== 1 && p !== 2) return context.fail('ONNX_ATTRIBUTE', 'expected p of 1 or 2');
  const axis = [context.attributes.int('axis')];
  return inWide(context, x, (data) => {
    const parts = p === 1 ? context.call('abs', [data]) : context.call('multiply', [data, data]);
    const total = context.call('sum', [parts], { axis, keepdims: true });
    const norm = p === 1 ? total : context.call('sqrt', [total]);
    // If the norm is 0 all elements are 0, and stay so.
    const isZero = context.call('equal', [norm, 0]);
    return context.formula('?data / where(?isZero, 1, ?norm)', { data, isZero, norm });
  });
}

/** `LRN`: local response normalization over channels. */
function readLrn(context: NodeContext): Converted {
  const { attributes } = context;
  const size = attributes.int('size', 0);
  if (size < 1) return context.fail('ONNX_ATTRIBUTE', 'expected attribute size of 1 or more');
  return context.call('nn.lrn', [context.input(0)], {
    size,
    axis: 1,
    bias: attributes.float('bias'),
    // ONNX's default is 1e-4 as a float32.
    alpha: attributes.float('alpha'),
    beta: attributes.float('beta'),
  });
}

/** `MeanVarianceNormalization`: mean 0 and variance 1 over axes. */
function readMeanVarianceNormalization(context: NodeContext): Converted {
  const x = context.input(0);
  const axis = context.attributes.ints('axes') ?? [0, 2, 3];
  const over = (data: Expr): Expr => context.call('mean', [data], { axis, keepdims: true });
  return inWide(context, x, (data) => {
    const centred = context.call('subtract', [data, over(data)]);
    const variance = over(context.call('multiply', [centred, centred]));
    // As ONNX defines it, with an epsilon beside the deviation.
    const deviation = context.formula('sqrt(?variance) + 1e-9', { variance });
    return context.call('divide', [centred, deviation]);
  });
}

/** `RMSNormalization` over the axes from `axis` on. */
function readRmsNormalization(context: NodeContext): Converted {
  const x = context.input(0);
  const first = context.axis(context.attributes.int('axis'), context.dimsOf(x).length);
  if (context.hasFailed()) return undefined;
  return rootNormalized(context, x, context.input(1), first).result;
}

/** `nn.batch_norm`: the channels are the second axis. */
function writeBatchNorm(
  context: CallContext,
  x: Operand,
  gamma: Operand,
  beta: Operand,
  mean: Operand,
  variance: Operand,
): Written {
  const { attrs } = context;
  const rank = context.dims(x).length;
  const axis = fromFront(attrs.int('axis'), rank);
  if (rank < 2) return context.fail('expected data with a batch and channels');
  if (axis !== 1) {
    const all = { ...attrs.all, axis: 1 };
    const vectors = [gamma, beta, mean, variance];
    const normal = withExchanged(context, x, [1, axis], (moved) => {
      const [result = moved] = context.callOf('nn.batch_norm', [moved, ...vectors], all);
      return result;
    });
    return [normal, mean, variance];
  }
  const epsilon = attrs.float('epsilon');
  if (!holdsFloat(epsilon, context.dtype(x))) {
    const { call } = context;
    const deviation = call('sqrt', [call('add', [variance, epsilon])]);
    const centred = call('subtract', [x, alongAxis(context, mean, 1, rank)]);
    const normal = call('divide', [centred, alongAxis(context, deviation, 1, rank)]);
    return [affine(context, normal, [gamma, beta], 1), mean, variance];
  }
  const [scale, shift] = [scaleOf(context, gamma), shiftOf(context, beta)];
  if (scale === undefined || shift === undefined) return undefined;
  const inputs = [x, scale, shift, mean, variance];
  const node = context.node('BatchNormalization', inputs, { epsilon: float(epsilon) });
  return [node, mean, variance];
}

/** `nn.group_norm`: each group is an instance of one channel. */
function writeGroupNorm(context: CallContext, x: Operand, gamma: Operand, beta: Operand): Written {
  const { attrs, call } = context;
  const [groups, epsilon] = [attrs.int('num_groups'), attrs.float('epsilon')];
  const moved = withChannelsSecond(context, 'nn.group_norm', [x, gamma, beta]);
  if (moved !== undefined) return moved;
  const isAffine = attrs.bool('scale') && attrs.bool('center');
  if (context.opset >= 21 && isAffine && holdsFloat(epsilon, context.dtype(x))) {
    const attributes = { num_groups: int(groups), epsilon: float(epsilon) };
    return context.node('GroupNormalization', [x, gamma, beta], attributes);
  }
  const flat = reshape(context, x, [0, groups, -1]);
  const [ones, zeros] = [vectorOf(context, groups, 1, x), vectorOf(context, groups, 0, x)];
  const normal = call('nn.instance_norm', [flat, ones, zeros], { epsilon });
  return affine(context, call('reshape_like', [normal, x]), [gamma, beta], 1);
}

/** `nn.instance_norm`: the channels are the second axis. */
function writeInstanceNorm(
  context: CallContext,
  x: Operand,
  gamma: Operand,
  beta: Operand,
): Written {
  const { attrs } = context;
  const moved = withChannelsSecond(context, 'nn.instance_norm', [x, gamma, beta]);
  if (moved !== undefined) return moved;
  const epsilon = attrs.float('epsilon');
  if (!holdsFloat(epsilon, context.dtype(x))) {
    const axes = context.dims(x).flatMap((_, axis) => (axis < 2 ? [] : [axis]));
    return affine(context, standardized(context, x, axes, epsilon), [gamma, beta], 1);
  }
  const [scale, shift] = [scaleOf(context, gamma), shiftOf(context, beta)];
  if (scale === undefined || shift === undefined) return undefined;
  return context.node('InstanceNormalization', [x, scale, shift], { epsilon: float(epsilon) });
}

/** `nn.layer_norm`: over the last axis. */
function writeLayerNorm(context: CallContext, x: Operand, gamma: Operand, beta: Operand): Written {
  const { attrs, call } = context;
  const rank = context.dims(x).length;
  const axis = fromFront(attrs.int('axis'), rank);
  const epsilon = attrs.float('epsilon');
  const isNode = context.opset >= 17 && holdsFloat(epsilon, context.dtype(x));
  if (isNode && axis < rank - 1) {
    const all = { ...attrs.all, axis: -1 };
    return withExchanged(context, x, [axis, rank - 1], (moved) =>
      call('nn.layer_norm', [moved, gamma, beta], all),
    );
  }
  if (isNode) {
    const [scale, shift] = [scaleOf(context, gamma), attrs.bool('center') ? beta : undefined];
    const attributes = { axis: int(axis), epsilon: float(epsilon) };
    return scale && context.node('LayerNormalization', [x, scale, shift], attributes);
  }
  return affine(context, standardized(context, x, [axis], epsilon), [gamma, beta], axis);
}

/** `nn.lrn`: over the channels, the second axis. */
function writeLrn(context: CallContext, x: Operand): Written {
  const { attrs } = context;
  const rank = context.dims(x).length;
  if (fromFront(attrs.int('axis'), rank) !== 1) return context.fail('LRN is over the second axis');
  const number = (name: string) => float(attrs.float(name));
  const [alpha, beta, bias] = [number('alpha'), number('beta'), number('bias')];
  const values = { size: int(attrs.int('size')), alpha, beta, bias };
  if (rank === 4) return context.node('LRN', [x], values);
  // Runtimes take images only.
  const image = reshape(context, x, rank < 3 ? [0, 0, 1, 1] : [0, 0, -1, 1]);
  return context.call('reshape_like', [context.node('LRN', [image], values, image.type), x]);
}

/** The scale, or ones if the call leaves it out; `undefined` after a failure. */
const scaleOf = (context: CallContext, gamma: Operand): Operand | undefined =>
  context.attrs.bool('scale') ? gamma : constantLike(context, gamma, 1);

/** The shift, or zeros if the call leaves it out; `undefined` after a failure. */
const shiftOf = (context: CallContext, beta: Operand): Operand | undefined =>
  context.attrs.bool('center') ? beta : constantLike(context, beta, 0);

function constantLike(context: CallContext, x: Operand, value: number): Operand | undefined {
  const [size] = context.dims(x);
  return size !== undefined && isStaticDim(size)
    ? vectorOf(context, size, value, x)
    : context.unknown('expected a known number of channels');
}

/** A vector of one number, with the dtype of `like`. */
const vectorOf = (context: CallContext, size: number, value: number, like: Operand): Operand => {
  context.room(size);
  return context.constant(
    fromNumbers(new Float64Array(size).fill(value), [size], context.dtype(like)),
  );
};

/** (x − mean) / √(variance + ε) over these axes. */
function standardized(
  { formula }: CallContext,
  x: Operand,
  axes: ReadonlyArray<number>,
  epsilon: number,
): Operand {
  const text =
    '%0 = ?x - mean(?x, axis=?axes, keepdims=True); %0 / sqrt(mean(%0 * %0, axis=?axes, keepdims=True) + ?epsilon)';
  return formula(text, { x, axes, epsilon });
}

/** The data scaled and shifted along an axis, as far as the call asks for it. */
function affine(
  context: CallContext,
  x: Operand,
  [gamma, beta]: readonly [Operand, Operand],
  axis: number,
): Operand {
  const rank = context.dims(x).length;
  const along = (vector: Operand): Operand => alongAxis(context, vector, axis, rank);
  const scaled = context.attrs.bool('scale') ? context.call('multiply', [x, along(gamma)]) : x;
  return context.attrs.bool('center') ? context.call('add', [scaled, along(beta)]) : scaled;
}

/** What is made of the data with two of its axes exchanged, which are exchanged back in it. */
function withExchanged(
  context: CallContext,
  x: Operand,
  [a, b]: readonly [number, number],
  of: (moved: Operand) => Operand,
): Operand {
  const rank = context.dims(x).length;
  const axes = Array.from({ length: rank }, (_, i) => (i === a ? b : i === b ? a : i));
  const swapped = (data: Operand): Operand => transpose(context, data, axes);
  return swapped(of(swapped(x)));
}

/**
 * A normalization of each channel by itself with the channels as the second axis, behind a batch;
 * `undefined` if they are there. Channels along the first axis have no batch before them.
 */
function withChannelsSecond(
  context: CallContext,
  op: string,
  [x, ...vectors]: readonly [Operand, ...ReadonlyArray<Operand>],
): Operand | undefined {
  const { attrs, call } = context;
  const rank = context.dims(x).length;
  const axis = fromFront(attrs.int('axis'), rank);
  if (axis === 1) return undefined;
  const all = { ...attrs.all, axis: 1 };
  if (axis === 0) {
    const single = expandDims(context, x, 0);
    return call('squeeze', [call(op, [single, ...vectors], all)], { axis: [0] });
  }
  return withExchanged(context, x, [1, axis], (moved) => call(op, [moved, ...vectors], all));
}

/** The softmax of the first input, with the conventions of a version of the operator set. */
export function softmaxOf(context: NodeContext, op: string, version: number): Expr | undefined {
  const x = context.input(0);
  const dims = context.dimsOf(x);
  const given = context.attributes.int('axis', version < 13 ? 1 : -1);
  // Before 13, axis = rank is legal, and leaves no axis.
  const isEnd = version < 13 && given === dims.length;
  const axis = isEnd ? given : context.axis(given, dims.length);
  if (context.hasFailed()) return undefined;
  const along = (data: Expr, at: number): Expr => context.call(op, [data], { axis: at });
  return version >= 13 ? along(x, axis) : overTrailingAxes(context, x, axis, along);
}

/** Whether `axis` exists and only axes of size 1 follow it. */
const isSingle = (dims: ReadonlyArray<Dim>, axis: number): boolean =>
  axis < dims.length && dims.slice(axis + 1).every((dim) => dim === 1);

/** The result of `along`, which takes an axis, over all axes from `axis` on: they are merged, and split again. */
function overTrailingAxes(
  context: NodeContext,
  x: Expr,
  axis: number,
  along: (x: Expr, axis: number) => Expr | undefined,
): Expr | undefined {
  const dims = context.dimsOf(x);
  if (isSingle(dims, axis)) return along(x, axis);
  const trailing = dims.slice(axis).filter((dim) => typeof dim === 'number');
  if (trailing.length < dims.length - axis) {
    return context.unknown(`expected known sizes from axis ${axis} on`);
  }
  const kept = new Array<number>(axis).fill(0);
  const size = trailing.reduce((product, dim) => product * dim, 1);
  // A size of 0 would mean "copy" in a reshape, and there is nothing to compute.
  if (trailing.includes(0)) return x;
  const rows = reshape(context, x, [...kept, size]);
  const result = along(rows, -1);
  return result && reshape(context, result, [...kept, ...trailing]);
}

/** A normalization, and the values that it divides by. */
interface Normalized {
  /** Of the type of the scale, in which all others are given. */
  readonly result: Expr;
  /** Of the type that `stash_type` names. */
  readonly mean: Expr;
  /** The inverse of the deviation, of that type too. */
  readonly inverse: Expr;
}

/** The axes from `first` on; by default the last. */
const axesFrom = (context: NodeContext, x: Expr, first: number | undefined): number[] => {
  const rank = context.dimsOf(x).length;
  const start = first ?? Math.max(rank - 1, 0);
  return Array.from({ length: rank - start }, (_, i) => start + i);
};

/** Data without their mean, divided by their deviation. */
export function normalized(
  context: NodeContext,
  x: Expr,
  scale: Expr,
  bias: Expr | undefined,
  first?: number,
): Normalized {
  const axis = axesFrom(context, x, first);
  const data = widened(context, x);
  const mean = context.call('mean', [data], { axis, keepdims: true });
  const centred = context.formula('?data - ?mean', { data, mean });
  return divided(context, centred, { scale, bias, axis, mean });
}

/** Data divided by the root of their mean square. */
export function rootNormalized(
  context: NodeContext,
  x: Expr,
  scale: Expr,
  first?: number,
): Normalized {
  const axis = axesFrom(context, x, first);
  const data = widened(context, x);
  const mean = context.call('mean', [data], { axis, keepdims: true });
  return divided(context, data, { scale, bias: undefined, axis, mean });
}

/** The parts of a normalization besides the data. */
interface Parts {
  readonly scale: Expr;
  readonly bias: Expr | undefined;
  readonly axis: ReadonlyArray<number>;
  readonly mean: Expr;
}

function divided(context: NodeContext, x: Expr, { scale, bias, axis, mean }: Parts): Normalized {
  const { attributes, call, formula } = context;
  const square = formula('mean(?x * ?x, axis=?axis, keepdims=True)', { x, axis });
  const epsilon = attributes.float('epsilon');
  const inverse = formula('rsqrt(?square + ?epsilon)', { square, epsilon });
  const dtype = context.dtypeOf(x);
  const scaled = call('multiply', [call('multiply', [x, inverse]), ofType(context, scale, dtype)]);
  const result = bias ? call('add', [scaled, ofType(context, bias, dtype)]) : scaled;
  const stash = elementType(attributes.int('stash_type', FLOAT))?.dtype ?? 'float32';
  return {
    result: ofType(context, result, context.dtypeOf(scale)),
    mean: ofType(context, mean, stash),
    inverse: ofType(context, inverse, stash),
  };
}

/** The number of float32, the default of `stash_type`. */
const FLOAT = 1;

/** The sum of the first two inputs and of a bias at a place, in float32 or wider. */
export function skipped(context: NodeContext, place: number): Expr {
  const { call, input, optional } = context;
  const sum = call('add', [widened(context, input(0)), widened(context, input(1))]);
  const bias = optional(place);
  return bias === undefined ? sum : call('add', [sum, widened(context, bias)]);
}
