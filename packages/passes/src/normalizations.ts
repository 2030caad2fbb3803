/**
 * The normalization operators spelled out in simpler ones:
 * [passes §6](https://batonjs.github.io/baton/spec/passes#6) and
 * [appendix A](https://batonjs.github.io/baton/spec/passes#A).
 */
import type { Span } from '@baton/base';
import {
  type Attrs,
  type Call,
  constant,
  type Expr,
  noAttrs,
  type OpTable,
  type Type,
} from '@baton/ir';
import { callOp, dimsOf, dtypeOf, expandToAxes } from '@baton/ops';
import { type DType, isDType, scalar } from '@baton/tensor';
import { numbersOf, operandOf } from './op-call.ts';

/** One call to spell out: its arguments as they have become, and its types as they were. */
export interface Normalization {
  readonly ops: OpTable;
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<Expr>;
  readonly data: DataFacts;
  readonly span: Span | undefined;
}

/** What must be known of the data. */
export interface DataFacts {
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

/** The axis of the channels, from 0 up, of data of this rank. */
export function channelAxis({ axis }: Attrs, rank: number): number {
  const given = Number(axis);
  return given < 0 ? given + rank : given;
}

/**
 * `d * S + H` with `s = 1 / sqrt(v + epsilon) * g` and `h = -m * s + b`; S and H are s and h laid
 * along the channel axis.
 */
export function batchNorm(n: Normalization): Expr {
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
export function layerNorm(n: Normalization): Expr {
  const axis = axisOf(n);
  return affine(n, standardized(n, operandOf(n, 0), [axis]), axis);
}

/** As {@link layerNorm}, over all axes but the first and the channels. */
export function instanceNorm(n: Normalization): Expr {
  const axis = axisOf(n);
  const reduced = n.data.dims.flatMap((_, at) => (at === 0 || at === axis ? [] : [at]));
  return affine(n, standardized(n, operandOf(n, 0), reduced), axis);
}

/**
 * As {@link layerNorm}, over the channels of a group and all axes but the first: the channel axis is
 * split in two for it. Every dimension must be a number.
 */
export function groupNorm(n: Normalization): Expr | undefined {
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
export function l2Normalize(n: Normalization): Expr {
  const data = operandOf(n, 0);
  const axis = numbersOf(n.attrs.axis);
  const { op, withAttrs, number } = builder(n);
  const squares = withAttrs('sum', { axis, keepdims: true }, op('multiply', data, data));
  return op('divide', data, op('sqrt', op('maximum', squares, number(n.attrs.eps))));
}

/** `(x - mean) / sqrt(variance + epsilon)` over `axes`. */
function standardized(n: Normalization, x: Expr, axes: ReadonlyArray<number>): Expr {
  const { op, withAttrs, number } = builder(n);
  const reduction = { axis: axes, keepdims: true };
  const mean = withAttrs('mean', reduction, x);
  const variance = withAttrs('variance', reduction, x, mean);
  const deviation = op('sqrt', op('add', variance, number(n.attrs.epsilon)));
  return op('divide', op('subtract', x, mean), deviation);
}

/** `x * gamma + beta` along `axis`, as far as the attributes want it. */
function affine(n: Normalization, x: Expr, axis: number): Expr {
  const { op } = builder(n);
  const laid = (at: number): Expr => along(n, operandOf(n, at), axis);
  const scaled = n.attrs.scale === true ? op('multiply', x, laid(1)) : x;
  return n.attrs.center === true ? op('add', scaled, laid(2)) : scaled;
}

/** A vector, with axes put in so that it broadcasts along `axis` of the data. */
const along = (n: Normalization, vector: Expr, axis: number): Expr =>
  expandToAxes(n.ops, vector, n.data.rank, [axis], n.span);

const axisOf = (n: Normalization): number => channelAxis(n.attrs, n.data.rank);

/** Calls and numbers in the data's element type, which come from where the normalization does. */
function builder(n: Normalization) {
  const op = (name: string, ...args: ReadonlyArray<Expr>): Call =>
    callOp(n.ops, name, args, noAttrs, n.span);
  const withAttrs = (name: string, attrs: Attrs, ...args: ReadonlyArray<Expr>): Call =>
    callOp(n.ops, name, args, attrs, n.span);
  const number = (value: unknown): Expr => constant(scalar(Number(value), n.data.dtype), n.span);
  return { op, withAttrs, number };
}
