/**
 * Normalizations in simpler operators:
 * [passes §6](https://batonjs.github.io/baton/spec/passes#6) and
 * [appendix A](https://batonjs.github.io/baton/spec/passes#A).
 */
import {
  type Attrs,
  type Call,
  constant,
  type Expr,
  noAttrs,
  type OpTable,
  type Type,
} from '@baton/ir';
import { callOp, dimsOf, dtypeOf, expandToAxes, numbersOf, operandOf } from '@baton/ops';
import { type DType, isDType, scalar } from '@baton/tensor';

/** The definition of an operator. */
interface Definition {
  /** Whether the expression stands for the result, or for field 0 of a tuple result. */
  readonly of: 'result' | 'first field';
  /** The expression; `undefined` if too little is known. */
  readonly spell: (whole: Whole) => Expr | undefined;
}

/** A call to spell out: its rewritten arguments, and its original types. */
interface Whole {
  readonly ops: OpTable;
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<Expr>;
  readonly data: DataFacts;
}

/** The required facts about the data. */
interface DataFacts {
  readonly rank: number;
  readonly dtype: DType;
  /** Each dimension that is a number. */
  readonly dims: ReadonlyArray<number | undefined>;
}

/** The data's facts, or `undefined` while its rank or element type is open. */
export function dataFacts(type: Type | undefined): DataFacts | undefined {
  const dims = dimsOf(type);
  const dtype = dtypeOf(type);
  if (dims === undefined || !isDType(dtype)) return undefined;
  return {
    rank: dims.length,
    dtype,
    dims: dims.map((dim) => (typeof dim === 'number' ? dim : undefined)),
  };
}

/** The definition of each operator that has one, at inference. */
export const definitions: ReadonlyMap<string, Definition> = new Map<string, Definition>([
  ['nn.batch_norm', { of: 'first field', spell: batchNorm }],
  ['nn.dropout', { of: 'first field', spell: ({ args }) => args[0] }],
  ['nn.layer_norm', { of: 'result', spell: layerNorm }],
  ['nn.instance_norm', { of: 'result', spell: instanceNorm }],
  ['nn.group_norm', { of: 'result', spell: groupNorm }],
  ['nn.l2_normalize', { of: 'result', spell: l2Normalize }],
]);

/**
 * `d * S + H` with `s = 1 / sqrt(v + epsilon) * g` and `h = -m * s + b`; S and H are s and h laid
 * along the channel axis.
 */
function batchNorm(n: Whole): Expr {
  const [gamma, beta, mean] = [operandOf(n, 1), operandOf(n, 2), operandOf(n, 3)];
  const axis = axisOf(n);
  const { op, number } = builder(n);
  const deviation = op('sqrt', op('add', operandOf(n, 4), number(n.attrs.epsilon)));
  const inverse = op('divide', number(1), deviation);
  const scale = n.attrs.scale === true ? op('multiply', inverse, gamma) : inverse;
  const scaled = op('multiply', operandOf(n, 0), along(n, scale, axis));
  const centred = op('multiply', op('negative', mean), scale);
  const shift = n.attrs.center === true ? op('add', centred, beta) : centred;
  return op('add', scaled, along(n, shift, axis));
}

/** `(d - mean) / sqrt(variance + epsilon) * gamma + beta`, over one axis. */
function layerNorm(n: Whole): Expr {
  const axis = axisOf(n);
  return affine(n, standardized(n, operandOf(n, 0), [axis]), axis);
}

/** Like {@link layerNorm}, over all axes except the first and the channels. */
function instanceNorm(n: Whole): Expr {
  const axis = axisOf(n);
  const reduced = n.data.dims.flatMap((_, at) => (at === 0 || at === axis ? [] : [at]));
  return affine(n, standardized(n, operandOf(n, 0), reduced), axis);
}

/**
 * Like {@link layerNorm}, over the channels of a group and all axes except the first: the channel
 * axis is split in two. Every dimension must be a number.
 */
function groupNorm(n: Whole): Expr | undefined {
  const axis = axisOf(n);
  const groups = Number(n.attrs.num_groups);
  const dims = n.data.dims.filter((dim) => dim !== undefined);
  if (dims.length !== n.data.rank) return undefined;
  const { withAttrs } = builder(n);
  const split = [
    ...dims.slice(0, axis),
    groups,
    (dims[axis] ?? 0) / groups,
    ...dims.slice(axis + 1),
  ];
  const reduced = split.flatMap((_, at) => (at === 0 || at === axis ? [] : [at]));
  const grouped = withAttrs('reshape', { newshape: split }, operandOf(n, 0));
  const whole = withAttrs('reshape', { newshape: dims }, standardized(n, grouped, reduced));
  return affine(n, whole, axis);
}

/** `d / sqrt(max(sum(d * d), eps))` over the axes named. */
function l2Normalize(n: Whole): Expr {
  const data = operandOf(n, 0);
  const axis = numbersOf(n.attrs.axis);
  const { op, withAttrs, number } = builder(n);
  const squares = withAttrs('sum', { axis, keepdims: true }, op('multiply', data, data));
  return op('divide', data, op('sqrt', op('maximum', squares, number(n.attrs.eps))));
}

/** `(x - mean) / sqrt(variance + epsilon)` over `axes`. */
function standardized(n: Whole, x: Expr, axes: ReadonlyArray<number>): Expr {
  const { op, withAttrs, number } = builder(n);
  const reduction = { axis: axes, keepdims: true };
  const mean = withAttrs('mean', reduction, x);
  const variance = withAttrs('variance', reduction, x, mean);
  const deviation = op('sqrt', op('add', variance, number(n.attrs.epsilon)));
  return op('divide', op('subtract', x, mean), deviation);
}

/** `x * gamma + beta` along `axis`, as far as the attributes demand it. */
function affine(n: Whole, x: Expr, axis: number): Expr {
  const { op } = builder(n);
  const laid = (at: number): Expr => along(n, operandOf(n, at), axis);
  const scaled = n.attrs.scale === true ? op('multiply', x, laid(1)) : x;
  return n.attrs.center === true ? op('add', scaled, laid(2)) : scaled;
}

/** A vector, with axes put in so that it broadcasts along `axis` of the data. */
const along = (n: Whole, vector: Expr, axis: number): Expr =>
  expandToAxes(n.ops, vector, n.data.rank, [axis]);

const axisOf = (n: Whole): number => channelAxis(n.attrs, n.data.rank);

/** Makes calls and numbers in the data's element type, with the normalization's origin. */
function builder(n: Whole) {
  const op = (name: string, ...args: ReadonlyArray<Expr>): Call =>
    callOp(n.ops, name, args, noAttrs);
  const withAttrs = (name: string, attrs: Attrs, ...args: ReadonlyArray<Expr>): Call =>
    callOp(n.ops, name, args, attrs);
  const number = (value: unknown): Expr => constant(scalar(Number(value), n.data.dtype));
  return { op, withAttrs, number };
}

/** The axis of the channels of data of this rank, counted from the front. */
function channelAxis({ axis }: Attrs, rank: number): number {
  const given = Number(axis);
  return given < 0 ? given + rank : given;
}
