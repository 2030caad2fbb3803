/** Normalizations, softmax among them. */

import { type Dim, type Expr, isStaticDim } from '@baton/ir';
import { fromNumbers, shapeSize } from '@baton/tensor';
import { float, holdsFloat, int } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { elementType } from '../protobuf/element-type.ts';
import { fromFront, inFloat32, inWide, ofType, widened } from '../shared/element-types.ts';
import { alongAxis } from '../shared/reshaping.ts';
import { type Chapter, type Operands, readFormula, reads, writes } from '../shared/rows.ts';
import { placesUpTo, sizeOfAxis } from '../shared/sizes.ts';
import { cast, exchanged, expandDims, plus, range, reshape, transpose } from '../shared/words.ts';

export const normalizationOperators: Chapter = [
  reads('BatchNormalization', readBatchNormalization, {
    since: 7,
    kernelSince: 14,
    kernelWhen: ({ attributes }) => attributes.int('training_mode', 0) !== 0,
  }),
  reads('GroupNormalization', readGroupNormalization),
  reads('Hardmax', readHardmax, {
    kernelSince: 13,
    kernelWhen: ({ attributes, dimsOf, input }) =>
      typeof dimsOf(input(0)).at(attributes.int('axis')) !== 'number',
  }),
  reads('LayerNormalization', readLayerNormalization, {
    kernelSince: 17, // One formula for three results: what they share is computed once only if it stays together.
    kernelWhen: ({ isUsed }) => isUsed(1) || isUsed(2),
  }),
  reads('LogSoftmax', (context) => softmaxOf(context, 'nn.log_softmax', context.version)),
  reads('LpNormalization', readLpNormalization),
  reads('LRN', readLrn),
  reads('MeanVarianceNormalization', readMeanVarianceNormalization, { kernelSince: 9 }),
  reads('RMSNormalization', readRmsNormalization, {
    kernelSince: 23,
    // The form of one node needs a known scale.
    kernelWhen: ({ input, shapeOf }) => shapeOf(input(1)) === undefined,
  }),
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
  const { attributes, formula } = context;
  if (attributes.int('spatial') !== 1) {
    return context.fail('ONNX_UNSUPPORTED', 'statistics of each activation are not imported');
  }
  const inputs = range(0, 5).map((index) => context.input(index));
  const epsilon = attributes.float('epsilon');
  const normalized = (given: ReadonlyArray<Expr>): Expr =>
    context.field(context.call('nn.batch_norm', given, { axis: 1, epsilon }), 0);
  if (attributes.int('training_mode') === 0) return inOneType(context, inputs, normalized);
  const data = widened(context, context.input(0));
  const found = statisticsOf(context, data);
  const momentum = attributes.float('momentum');
  const followed = found.map((now, i) => {
    const before = context.input(i + 3);
    const kept = ofType(context, before, context.dtypeOf(now));
    const text = '?kept * ?momentum + ?now * ?rest';
    const sum = formula(text, { kept, momentum, now, rest: 1 - momentum });
    return ofType(context, sum, context.dtypeOf(before));
  });
  const result = inOneType(context, [data, ...inputs.slice(1, 3), ...found], normalized);
  return [ofType(context, result, context.dtypeOf(context.input(0))), ...followed];
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
  const isOpen = typeof channels !== 'number';
  if (groups < 1 || (!isOpen && channels % groups !== 0)) {
    const found = `expected groups that divide ${channels} channels, found ${groups}`;
    return context.fail('ONNX_ATTRIBUTE', found);
  }
  const each = (vector: Expr): Expr => {
    if (context.version >= 21) return vector;
    if (!isOpen) return context.call('repeat', [vector], { repeats: channels / groups, axis: 0 });
    const count = sizeOfAxis(context, x, 1);
    const text = 'take(?vector, floor_divide(?places * ?groups, ?count), axis=0)';
    return context.formula(text, { vector, places: placesUpTo(context, count), groups, count });
  };
  return context.call('nn.group_norm', [x, each(context.input(1)), each(context.input(2))], {
    num_groups: groups,
    axis: 1,
    epsilon: context.attributes.float('epsilon'),
  });
}

/** `Hardmax`: 1 at the first greatest element along an axis, before 13 over all axes from it on, 0 elsewhere. */
function readHardmax(context: NodeContext): Converted {
  return alongGivenAxis(context, context.version, (x, axis) => greatest(context, x, axis));
}

function greatest(context: NodeContext, x: Expr, axis: number): Expr | undefined {
  const dims = context.dimsOf(x);
  const at = context.axis(axis, dims.length);
  const depth = dims[at];
  const dtype = context.dtypeOf(x);
  if (typeof depth !== 'number') {
    const places = placesUpTo(context, sizeOfAxis(context, x, at));
    const along = expandDims(context, places, 1, dims.length - 1 - at);
    const open = 'cast(argmax(?x, axis=?at, keepdims=True) == ?along, dtype=?dtype)';
    return context.formula(open, { x, at, along: cast(context, along, 'int32'), dtype });
  }
  const [on, off] = [context.scalar(1, dtype), context.scalar(0, dtype)];
  const text = 'one_hot(argmax(?x, axis=?axis), ?on, ?off, depth=?depth, axis=?axis, dtype=?dtype)';
  return context.formula(text, { x, axis, on, off, depth, dtype });
}

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

/** x divided by the root of its mean square. */
export const ROOT_NORMALIZED = '?x / sqrt(mean(?x * ?x, axis=?axes, keepdims=True) + ?epsilon)';

/** Mean 0 and variance 1, with an epsilon next to the deviation. */
export const MEAN_VARIANCE_NORMALIZED = `
  %0 = ?x - mean(?x, axis=?axes, keepdims=True);
  %0 / (sqrt(mean(%0 * %0, axis=?axes, keepdims=True)) + 1e-9)`;

/** x divided by its norm of p = 1 and of p = 2. If the norm is 0, all elements are 0. */
export const LP_NORMALIZED = [
  '%0 = sum(abs(?x), axis=?axes, keepdims=True); ?x / where(%0 == 0, 1, %0)',
  '%0 = sqrt(sum(?x * ?x, axis=?axes, keepdims=True)); ?x / where(%0 == 0, 1, %0)',
] as const;

function readLpNormalization(context: NodeContext): Converted {
  const text = LP_NORMALIZED[context.attributes.int('p') - 1];
  if (text === undefined) return context.fail('ONNX_ATTRIBUTE', 'expected p of 1 or 2');
  const axes = [context.attributes.int('axis')];
  return inWide(context, context.input(0), (x) => context.formula<string>(text, { x, axes }));
}

function readLrn(context: NodeContext): Converted {
  const size = context.attributes.int('size', 0);
  if (size < 1) return context.fail('ONNX_ATTRIBUTE', 'expected attribute size of 1 or more');
  const text = 'nn.lrn(?x, size=?size, axis=1, bias=?bias, alpha=?alpha, beta=?beta)';
  return readFormula(context, text);
}

function readMeanVarianceNormalization(context: NodeContext): Converted {
  const axes = context.attributes.ints('axes') ?? [0, 2, 3];
  return inWide(context, context.input(0), (x) =>
    context.formula(MEAN_VARIANCE_NORMALIZED, { x, axes }),
  );
}

/** `RMSNormalization` over the axes from `axis` on; onnxruntime's name for it has a second result. */
export function readRmsNormalization(context: NodeContext): Converted {
  const x = context.input(0);
  const first = context.axis(context.attributes.int('axis'), context.dimsOf(x).length);
  if (context.hasFailed()) return undefined;
  const { result, inverse } = rootNormalized(context, x, context.input(1), first);
  return context.isUsed(1) ? [result, inverse] : result;
}

function writeBatchNorm(context: CallContext, [x, gamma, beta, mean, variance]: Operands): Written {
  const { attrs, formula } = context;
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
    const deviation = formula('sqrt(?variance + ?epsilon)', { variance, epsilon });
    const [centre, divisor] = [mean, deviation].map((each) => alongAxis(context, each, 1, rank));
    const values = { x, centre, divisor } as Record<'x' | 'centre' | 'divisor', Operand>;
    const normal = formula('(?x - ?centre) / ?divisor', values);
    return [affine(context, normal, [gamma, beta], 1), mean, variance];
  }
  const [scale, shift] = [scaleOf(context, gamma), shiftOf(context, beta)];
  if (scale === undefined || shift === undefined) return undefined;
  const inputs = [x, scale, shift, mean, variance];
  const node = context.node('BatchNormalization', inputs, { epsilon: float(epsilon) });
  return [node, mean, variance];
}

/** `nn.group_norm`: each group is an instance of one channel. */
function writeGroupNorm(context: CallContext, [x, gamma, beta]: Operands): Written {
  const { attrs } = context;
  const [groups, epsilon] = [attrs.int('num_groups'), attrs.float('epsilon')];
  const moved = withChannelsSecond(context, 'nn.group_norm', [x, gamma, beta]);
  if (moved !== undefined) return moved;
  const isAffine = attrs.bool('scale') && attrs.bool('center');
  if (context.opset >= 21 && isAffine && holdsFloat(epsilon, context.dtype(x))) {
    const attributes = { num_groups: int(groups), epsilon: float(epsilon) };
    return context.node('GroupNormalization', [x, gamma, beta], attributes);
  }
  const [one, zero] = [vectorOf(context, groups, 1, x), vectorOf(context, groups, 0, x)];
  const text =
    'reshape_like(nn.instance_norm(reshape(?x, newshape=?sizes), ?one, ?zero, epsilon=?epsilon), ?x)';
  const normal = context.formula(text, { x, sizes: [0, groups, -1], one, zero, epsilon });
  return affine(context, normal, [gamma, beta], 1);
}

function writeInstanceNorm(context: CallContext, [x, gamma, beta]: Operands): Written {
  const { attrs } = context;
  const moved = withChannelsSecond(context, 'nn.instance_norm', [x, gamma, beta]);
  if (moved !== undefined) return moved;
  const epsilon = attrs.float('epsilon');
  if (!holdsFloat(epsilon, context.dtype(x))) return context.definition();
  const [scale, shift] = [scaleOf(context, gamma), shiftOf(context, beta)];
  if (scale === undefined || shift === undefined) return undefined;
  return context.node('InstanceNormalization', [x, scale, shift], { epsilon: float(epsilon) });
}

function writeLayerNorm(context: CallContext, [x, gamma, beta]: Operands): Written {
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
  return context.definition();
}

function writeLrn(context: CallContext, [x]: Operands): Written {
  const { attrs } = context;
  const rank = context.dims(x).length;
  if (fromFront(attrs.int('axis'), rank) !== 1) return context.fail('LRN is over the second axis');
  const number = (name: string) => float(attrs.float(name));
  const [alpha, beta, bias] = [number('alpha'), number('beta'), number('bias')];
  const values = { size: int(attrs.int('size')), alpha, beta, bias };
  if (rank === 4) return context.node('LRN', [x], values);
  // Runtimes take images only.
  const image = reshape(context, x, rank < 3 ? [0, 0, 1, 1] : [0, 0, -1, 1]);
  const made = context.node('LRN', [image], values, image.type);
  return context.formula('reshape_like(?made, ?x)', { made, x });
}

const scaleOf = (context: CallContext, gamma: Operand): Operand | undefined =>
  context.attrs.bool('scale') ? gamma : constantLike(context, gamma, 1);

const shiftOf = (context: CallContext, beta: Operand): Operand | undefined =>
  context.attrs.bool('center') ? beta : constantLike(context, beta, 0);

function constantLike(context: CallContext, x: Operand, value: number): Operand | undefined {
  const [size] = context.dims(x);
  return size !== undefined && isStaticDim(size)
    ? vectorOf(context, size, value, x)
    : context.unknown('expected a known number of channels');
}

const vectorOf = (context: CallContext, size: number, value: number, like: Operand): Operand => {
  context.room(size);
  return context.constant(
    fromNumbers(new Float64Array(size).fill(value), [size], context.dtype(like)),
  );
};

function affine(
  context: CallContext,
  x: Operand,
  [gamma, beta]: readonly [Operand, Operand],
  axis: number,
): Operand {
  const { attrs, formula } = context;
  const rank = context.dims(x).length;
  const along = (vector: Operand): Operand => alongAxis(context, vector, axis, rank);
  const scaled = attrs.bool('scale') ? formula('?x * ?gamma', { x, gamma: along(gamma) }) : x;
  return plus(context, scaled, attrs.bool('center') ? along(beta) : undefined);
}

/** What `of` makes of the data with two of its axes exchanged, which are exchanged back in it. */
function withExchanged(
  context: CallContext,
  x: Operand,
  [a, b]: readonly [number, number],
  of: (moved: Operand) => Operand,
): Operand {
  const axes = exchanged(context.dims(x).length, a, b);
  return transpose(context, of(transpose(context, x, axes)), axes);
}

/**
 * A normalization of each channel with the channels as the second axis, after the batch;
 * `undefined` if they are there. Channels along the first axis have no batch before them.
 */
function withChannelsSecond(
  context: CallContext,
  op: string,
  [x, ...vectors]: readonly [Operand, ...ReadonlyArray<Operand>],
): Operand | undefined {
  const { attrs, call } = context;
  const axis = fromFront(attrs.int('axis'), context.dims(x).length);
  if (axis === 1) return undefined;
  const made = (moved: Operand): Operand =>
    call(op, [moved, ...vectors], { ...attrs.all, axis: 1 });
  if (axis > 0) return withExchanged(context, x, [1, axis], made);
  return context.formula('squeeze(?one, axis=[0])', { one: made(expandDims(context, x, 0)) });
}

/** The softmax of the first input, with the conventions of a version of the operator set. */
export const softmaxOf = (context: NodeContext, op: string, version: number): Expr | undefined =>
  alongGivenAxis(context, version, (x, axis) =>
    context.formula('?op(?x, axis=?axis)', { op, x, axis }),
  );

/**
 * The result of `along` for the first input and the axis of a node, or before version 13 for all axes
 * from that one on.
 */
function alongGivenAxis(
  context: NodeContext,
  version: number,
  along: (x: Expr, axis: number) => Expr | undefined,
): Expr | undefined {
  const x = context.input(0);
  const rank = context.dimsOf(x).length;
  const given = context.attributes.int('axis', version < 13 ? 1 : -1);
  // Before 13, axis = rank is legal, and leaves no axis.
  const isEnd = version < 13 && given === rank;
  const axis = isEnd ? given : context.axis(given, rank);
  if (context.hasFailed()) return undefined;
  return version < 13 ? overTrailingAxes(context, x, axis, along) : along(x, axis);
}

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
  // A size of 0 would mean "copy" in a reshape, and there is nothing to compute.
  if (trailing.includes(0)) return x;
  const result = along(reshape(context, x, [...kept, shapeSize(trailing)]), -1);
  return result && reshape(context, result, [...kept, ...trailing]);
}

interface Normalized {
  /** Of the type of the scale, in which all others are given. */
  readonly result: Expr;
  /** Of the type that `stash_type` names. */
  readonly mean: Expr;
  /** The inverse of the deviation, of that type too. */
  readonly inverse: Expr;
}

function axesFrom(context: NodeContext, x: Expr, first: number | undefined): ReadonlyArray<number> {
  const rank = context.dimsOf(x).length;
  return range(first ?? Math.max(rank - 1, 0), rank);
}

export function normalized(
  context: NodeContext,
  x: Expr,
  scale: Expr,
  bias: Expr | undefined,
  first?: number,
): Normalized {
  const axis = axesFrom(context, x, first);
  const data = widened(context, x);
  const mean = context.formula('mean(?data, axis=?axis, keepdims=True)', { data, axis });
  const centred = context.formula('?data - ?mean', { data, mean });
  return divided(context, centred, { scale, bias, axis, mean });
}

export function rootNormalized(
  context: NodeContext,
  x: Expr,
  scale: Expr,
  first?: number,
): Normalized {
  const axis = axesFrom(context, x, first);
  const data = widened(context, x);
  const mean = context.formula('mean(?data, axis=?axis, keepdims=True)', { data, axis });
  return divided(context, data, { scale, bias: undefined, axis, mean });
}

interface Parts {
  readonly scale: Expr;
  readonly bias: Expr | undefined;
  readonly axis: ReadonlyArray<number>;
  readonly mean: Expr;
}

function divided(context: NodeContext, x: Expr, { scale, bias, axis, mean }: Parts): Normalized {
  const { attributes, formula } = context;
  const epsilon = attributes.float('epsilon');
  const text = 'rsqrt(mean(?x * ?x, axis=?axis, keepdims=True) + ?epsilon)';
  const inverse = formula(text, { x, axis, epsilon });
  const dtype = context.dtypeOf(x);
  const factor = ofType(context, scale, dtype);
  const scaled = formula('?x * ?inverse * ?factor', { x, inverse, factor });
  const result = plus(context, scaled, bias && ofType(context, bias, dtype));
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
  const [x, skip, bias] = [0, 1, place].map((index) => {
    const input = context.optional(index);
    return input && widened(context, input);
  });
  return plus(context, plus(context, x as Expr, skip), bias);
}
