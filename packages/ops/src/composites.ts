/**
 * Functions that build calls of several operators
 * ([operators §3](https://batonjs.github.io/baton/spec/operators#3)).
 */
import type { Span } from '@baton/base';
import type { Attrs, Call, Expr, OpTable } from '@baton/ir';
import { callOp } from './build.ts';

export interface CompositeOptions {
  readonly axis?: number | ReadonlyArray<number> | null;
  readonly keepdims?: boolean;
  readonly exclude?: boolean;
  readonly span?: Span | undefined;
}

export const squared = (ops: OpTable, x: Expr, span?: Span): Call =>
  callOp(ops, 'multiply', [x, x], {}, span);

export function meanVariance(
  ops: OpTable,
  x: Expr,
  options: CompositeOptions & { readonly unbiased?: boolean } = {},
): { readonly mean: Call; readonly variance: Call } {
  const attrs = reduceAttrs(options);
  const kept = callOp(ops, 'mean', [x], { ...attrs, keepdims: true }, options.span);
  const unbiased = options.unbiased ?? false;
  const variance = callOp(ops, 'variance', [x, kept], { ...attrs, unbiased }, options.span);
  const mean = options.keepdims === true ? kept : callOp(ops, 'mean', [x], attrs, options.span);
  return { mean, variance };
}

export const std = (
  ops: OpTable,
  x: Expr,
  options: CompositeOptions & { readonly unbiased?: boolean } = {},
): Call => callOp(ops, 'sqrt', [meanVariance(ops, x, options).variance], {}, options.span);

/** The mean of `(x − mean)^order`; `order` is at least 1. */
export function moment(ops: OpTable, x: Expr, order: number, options: CompositeOptions = {}): Call {
  const { span } = options;
  const attrs = reduceAttrs(options);
  const mean = callOp(ops, 'mean', [x], { ...attrs, keepdims: true }, span);
  const distance = callOp(ops, 'subtract', [x, mean], {}, span);
  let power = distance;
  for (let i = 1; i < order; i++) power = callOp(ops, 'multiply', [power, distance], {}, span);
  return callOp(ops, 'mean', [power], attrs, span);
}

/** `max + log Σ exp(x − max)`: the logarithm of a sum of exponentials, without overflow. */
export function logSumExp(ops: OpTable, x: Expr, options: CompositeOptions = {}): Call {
  const { span } = options;
  const attrs = reduceAttrs(options);
  const kept = callOp(ops, 'max', [x], { ...attrs, keepdims: true }, span);
  const shifted = callOp(ops, 'exp', [callOp(ops, 'subtract', [x, kept], {}, span)], {}, span);
  const total = callOp(ops, 'log', [callOp(ops, 'sum', [shifted], attrs, span)], {}, span);
  const peak = options.keepdims === true ? kept : callOp(ops, 'max', [x], attrs, span);
  return callOp(ops, 'add', [total, peak], {}, span);
}

const reduceAttrs = (options: CompositeOptions): Attrs => ({
  axis: options.axis ?? null,
  keepdims: options.keepdims ?? false,
  exclude: options.exclude ?? false,
});
