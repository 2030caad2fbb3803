/** Attention: sums of values, weighted by the likeness of keys to queries. */

import { anyDim, dimsEqual, type Expr, isStaticDim } from '@baton/ir';
import type { DType } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import { ofType } from './element-types.ts';
import { matrixProduct } from './matrix-product.ts';
import { asInt64, placesUpTo, sizeOfAxis } from './sizes.ts';
import { concatenate, transpose } from './words.ts';

export interface AttentionParts {
  readonly query: Expr;
  readonly key: Expr;
  readonly value: Expr;
  /** The factor of queries, and of keys: the root of the scale. */
  readonly root: Expr | number;
  /** Scores are brought below it by a hyperbolic tangent, unless it is 0. */
  readonly softcap: number;
  /** What is added to the scores; −∞ leaves a key out. */
  readonly bias: Expr | undefined;
  /** The score of no key, which is part of the softmax: a scalar, or `[heads, 1, 1]`. */
  readonly sink?: Expr | undefined;
  readonly precision: DType;
}

/** The stages of an attention. */
export interface Attention {
  readonly result: Expr;
  readonly scores: Expr;
  readonly capped: Expr;
  readonly biased: Expr;
  readonly weights: Expr;
}

/** The attention; `undefined` after a failure. A query that no key is left for has the result 0. */
export function attentionOf(context: NodeContext, parts: AttentionParts): Attention | undefined {
  const { call, formula } = context;
  const { query, softcap } = parts;
  const bias = parts.bias && spreading(context, parts.bias);
  const dtype = context.dtypeOf(query);
  const scaled = (x: Expr): Expr => call('multiply', [x, parts.root]);
  const turned = transpose(context, sharedHeads(context, parts.key, query), [0, 1, 3, 2]);
  const scores = matrixProduct(context, scaled(query), scaled(turned));
  if (scores === undefined) return undefined;
  const capped =
    softcap === 0 ? scores : formula('tanh(?scores / ?softcap) * ?softcap', { scores, softcap });
  const biased = bias === undefined ? capped : call('add', [capped, bias]);
  const exact = softmaxOf(context, ofType(context, biased, parts.precision), parts.sink);
  const rounded = ofType(context, exact, dtype);
  const weights = bias === undefined ? rounded : unlessMasked(context, rounded, bias);
  const values = sharedHeads(context, parts.value, query);
  const result = matrixProduct(context, ofType(context, weights, context.dtypeOf(values)), values);
  return result && { result, scores, capped, biased, weights };
}

/** The softmax of scores over keys, and over a sink that has no value. */
function softmaxOf({ formula }: NodeContext, scores: Expr, sink: Expr | undefined): Expr {
  if (sink === undefined) return formula('nn.softmax(?scores, axis=-1)', { scores });
  const text = `
    %0 = maximum(max(?scores, axis=[-1], keepdims=True), ?sink);
    %1 = exp(?scores - %0);
    %1 / (sum(%1, axis=[-1], keepdims=True) + exp(?sink - %0))`;
  return formula(text, { scores, sink });
}

/**
 * The bias without the names of its sizes, which may be 1: next to a size that is not known, a name
 * would stand for both.
 */
function spreading(context: NodeContext, bias: Expr): Expr {
  const isOpen = context
    .dimsOf(bias)
    .slice(0, -1)
    .some((dim) => !isStaticDim(dim));
  if (!isOpen) return bias;
  return context.formula('dyn.reshape(?bias, shape_of(?bias, dtype="int64"))', { bias });
}

/** Keys or values, each head repeated for the heads of the queries that share it. */
export function sharedHeads(context: NodeContext, x: Expr, query: Expr): Expr {
  const [heads = anyDim, all = anyDim] = [context.dimsOf(x)[1], context.dimsOf(query)[1]];
  if (dimsEqual(heads, all)) return x;
  if (!isStaticDim(heads) || !isStaticDim(all)) return repeatedAtRun(context, x, query);
  if (heads < 1 || all % heads !== 0) {
    context.fail('ONNX_SHAPE', `expected a multiple of ${heads} heads, found ${all}`);
    return x;
  }
  return context.call('repeat', [x], { repeats: all / heads, axis: 1 });
}

function repeatedAtRun(context: NodeContext, x: Expr, query: Expr): Expr {
  const [heads, all] = [x, query].map((of) => sizeOfAxis(context, of, 1));
  if (heads === undefined || all === undefined) return x;
  const places = placesUpTo(context, all);
  const [count, own] = [asInt64(context, all), asInt64(context, heads)];
  const text = 'take(?x, floor_divide(?places, floor_divide(?count, ?own)), axis=1)';
  return context.formula(text, { x, places, count, own });
}

/** The root of the scale where none is given: the scale is the inverse root of the features. */
export function defaultRoot(context: NodeContext, query: Expr): Expr | number {
  const { formula } = context;
  const size = sizeOfAxis(context, query, 3);
  if (typeof size === 'number') return Math.sqrt(1 / Math.sqrt(size));
  const exact = formula('rsqrt(sqrt(cast(?size, dtype="float32")))', { size });
  return ofType(context, exact, context.dtypeOf(query));
}

function unlessMasked({ formula }: NodeContext, weights: Expr, bias: Expr): Expr {
  return formula('where(max(?bias, axis=[-1], keepdims=True) == ?least, 0, ?weights)', {
    bias,
    least: Number.NEGATIVE_INFINITY,
    weights,
  });
}

/** The heads of a tensor of batch, places and features: they are the second axis then. */
export function withHeads(context: NodeContext, x: Expr, heads: number): Expr {
  const text = 'transpose(reshape(?x, newshape=?sizes), axes=[0, 2, 1, 3])';
  return context.formula(text, { x, sizes: [0, 0, heads, -1] });
}

/** The inverse of {@link withHeads}. */
export function withoutHeads(context: NodeContext, x: Expr): Expr {
  return context.formula('reshape(transpose(?x, axes=[0, 2, 1, 3]), newshape=[0, 0, -1])', { x });
}

export const afterPast = (context: NodeContext, past: Expr | undefined, x: Expr): Expr =>
  past === undefined ? x : concatenate(context, [past, x], 2);

export const maskBias = ({ call, scalar }: NodeContext, mask: Expr, dtype: DType): Expr =>
  call('where', [mask, scalar(0, dtype), scalar(Number.NEGATIVE_INFINITY, dtype)]);
