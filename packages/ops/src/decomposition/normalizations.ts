/**
 * The normalization operators spelled out in simpler ones:
 * [passes §6](https://batonjs.github.io/baton/spec/passes#6) and
 * [appendix A](https://batonjs.github.io/baton/spec/passes#A).
 */
import { type Attrs, type Call, constant, type Expr, noAttrs } from '@baton/ir';
import { scalar } from '@baton/tensor';
import { callOp } from '../build.ts';
import { numbersOf, operandOf } from '../op-call.ts';
import { expandToAxes } from '../scale-axis/build.ts';
import { channelAxis, type Whole } from './decomposition.ts';

/**
 * `d * S + H` with `s = 1 / sqrt(v + epsilon) * g` and `h = -m * s + b`; S and H are s and h laid
 * along the channel axis.
 */
export function batchNorm(n: Whole): Expr {
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
export function layerNorm(n: Whole): Expr {
  const axis = axisOf(n);
  return affine(n, standardized(n, operandOf(n, 0), [axis]), axis);
}

/** Like {@link layerNorm}, over all axes except the first and the channels. */
export function instanceNorm(n: Whole): Expr {
  const axis = axisOf(n);
  const reduced = n.data.dims.flatMap((_, at) => (at === 0 || at === axis ? [] : [at]));
  return affine(n, standardized(n, operandOf(n, 0), reduced), axis);
}

/**
 * Like {@link layerNorm}, over the channels of a group and all axes except the first: the channel
 * axis is split in two. Every dimension must be a number.
 */
export function groupNorm(n: Whole): Expr | undefined {
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
export function l2Normalize(n: Whole): Expr {
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
  expandToAxes(n.ops, vector, n.data.rank, [axis], n.span);

const axisOf = (n: Whole): number => channelAxis(n.attrs, n.data.rank);

/** Makes calls and numbers in the data's element type, with the normalization's origin. */
function builder(n: Whole) {
  const op = (name: string, ...args: ReadonlyArray<Expr>): Call =>
    callOp(n.ops, name, args, noAttrs, n.span);
  const withAttrs = (name: string, attrs: Attrs, ...args: ReadonlyArray<Expr>): Call =>
    callOp(n.ops, name, args, attrs, n.span);
  const number = (value: unknown): Expr => constant(scalar(Number(value), n.data.dtype), n.span);
  return { op, withAttrs, number };
}
