/** Attention: ONNX's operators and onnxruntime's. */

import { anyDim, dimsEqual, type Expr, isAnyDim, isStaticDim } from '@baton/ir';
import type { DType } from '@baton/tensor';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import {
  type Attention,
  type AttentionParts,
  afterPast,
  attentionOf,
  defaultRoot,
  maskBias,
  withHeads,
  withoutHeads,
} from '../shared/attention.ts';
import { matrixProduct } from '../shared/matrix-product.ts';
import { centred, namedType } from '../shared/quantization.ts';
import { type Chapter, microsoft, reads } from '../shared/rows.ts';
import { asInt64, placesUpTo, sizeOfAxis } from '../shared/sizes.ts';
import {
  cast,
  concatenate,
  expandDims,
  plus,
  rangesOf,
  reshape,
  slice,
  stack,
  take,
  transpose,
} from '../shared/words.ts';

export const attentionOperators: Chapter = [
  reads('Attention', readAttention, { kernelSince: 23 }),
  reads('LinearAttention', readLinearAttention, { kernelSince: 27 }),
  reads('RotaryEmbedding', readRotaryEmbedding, { kernelSince: 23 }),
  microsoft('Attention', readAttentionOfMicrosoft),
  microsoft('GroupQueryAttention', readGroupQueryAttention),
  microsoft('MultiHeadAttention', readMultiHeadAttention),
  microsoft('QAttention', readQAttention),
  microsoft('RotaryEmbedding', readRotaryEmbeddingOfMicrosoft),
];

function readAttention(context: NodeContext): Converted {
  const { attributes } = context;
  const isFlat = context.dimsOf(context.input(0)).length === 3;
  const split = (index: number, heads: string): Expr => {
    const x = context.input(index);
    return isFlat ? withHeads(context, x, attributes.int(heads, 1)) : x;
  };
  const query = split(0, 'q_num_heads');
  const key = afterPast(context, context.optional(4), split(1, 'kv_num_heads'));
  const value = afterPast(context, context.optional(5), split(2, 'kv_num_heads'));
  const precision = namedType(context, 'softmax_precision', context.dtypeOf(query));
  const scale = attributes.float('scale', Number.NaN);
  if (context.hasFailed() || precision === undefined) return undefined;
  const found = attentionOf(context, {
    query,
    key,
    value,
    root: Number.isNaN(scale) ? defaultRoot(context, query) : Math.sqrt(scale),
    softcap: attributes.float('softcap'),
    bias: biasOf(context, query, key),
    precision,
  });
  if (found === undefined) return undefined;
  const stages = [found.scores, found.capped, found.biased, found.weights];
  const shown = stages[attributes.int('qk_matmul_output_mode')] ?? found.scores;
  return [isFlat ? withoutHeads(context, found.result) : found.result, key, value, shown];
}

/** What is added to the scores: the mask, and −∞ for the keys that a query may not see. */
function biasOf(context: NodeContext, query: Expr, key: Expr): Expr | undefined {
  const dtype = context.dtypeOf(query);
  const given = context.optional(3);
  const mask = given && padded(context, given, key);
  const bias = mask && (context.dtypeOf(mask) === 'bool' ? maskBias(context, mask, dtype) : mask);
  return unlessHidden(context, bias, visible(context, query, key), dtype);
}

function unlessHidden(
  context: NodeContext,
  bias: Expr | undefined,
  seen: Expr | undefined,
  dtype: DType,
): Expr | undefined {
  if (seen === undefined) return bias;
  const zero = bias ?? context.scalar(0, dtype);
  return context.call('where', [seen, zero, context.scalar(Number.NEGATIVE_INFINITY, dtype)]);
}

/** The mask; keys beyond its end are left out. */
function padded(context: NodeContext, mask: Expr, key: Expr): Expr {
  const dims = context.dimsOf(mask);
  const [last = anyDim, places = anyDim] = [dims.at(-1), context.dimsOf(key)[2]];
  if (dimsEqual(last, places)) return mask;
  const dtype = context.dtypeOf(mask);
  const rest = context.scalar(dtype === 'bool' ? 0 : Number.NEGATIVE_INFINITY, dtype);
  if (isStaticDim(last) && isStaticDim(places) && last > places) return mask;
  const axis = dims.length - 1;
  const [wanted, own] = [sizeOfAxis(context, key, 2), sizeOfAxis(context, mask, axis)].map((size) =>
    asInt64(context, size),
  ) as [Expr, Expr];
  const text = `
    %0 = reshape(maximum(?wanted - ?own, 0), newshape=[1]);
    %1 = strided_slice(shape_of(?mask, dtype="int64"), begin=[0], end=?end);
    concatenate((?mask, dyn.full(?rest, concatenate((%1, %0)), dtype=?dtype)), axis=?axis)`;
  return context.formula(text, { wanted, own, mask, end: [axis], rest, axis, dtype });
}

/** Whether a query may see a key by their positions; `undefined` if all may. */
function visible(context: NodeContext, query: Expr, key: Expr): Expr | undefined {
  const { attributes, formula } = context;
  const counts = context.optional(6);
  const lengths = counts && formula('reshape(?counts, newshape=[-1, 1, 1, 1])', { counts });
  const queries = sizeOfAxis(context, query, 2);
  return visibleFrom(context, queries, sizeOfAxis(context, key, 2), {
    start: offset(context, queries, lengths),
    isCausal: attributes.int('is_causal') !== 0,
    left: attributes.int('left_window_size'),
    right: attributes.int('right_window_size'),
    lengths,
  });
}

/** Which keys a query sees, by the number of keys between them. */
interface Sight {
  /** The position of the first query among the keys. */
  readonly start: Size;
  readonly isCausal: boolean;
  /** The numbers of earlier and of later keys that are seen; negative if all are. */
  readonly left: number;
  readonly right: number;
  /** The number of keys of each sequence, if there may be more: `[batch, 1, 1, 1]`. */
  readonly lengths: Expr | undefined;
}

/** A mask of queries and keys, which broadcasts over heads; `undefined` if all is seen. */
function visibleFrom(
  context: NodeContext,
  queries: Size,
  keys: Size,
  { start, isCausal, left, right, lengths }: Sight,
): Expr | undefined {
  const { formula } = context;
  if (!isCausal && left < 0 && right < 0 && lengths === undefined) return undefined;
  const rows = formula('expand_dims(?places, axis=1)', { places: placesUpTo(context, queries) });
  const columns = placesUpTo(context, keys);
  const ahead = formula('?rows + ?start - ?columns', { rows, start, columns });
  const limits = [
    isCausal ? formula('?ahead >= 0', { ahead }) : undefined,
    left >= 0 ? formula('?ahead <= ?left', { ahead, left }) : undefined,
    right >= 0 ? formula('?ahead >= ?last', { ahead, last: -right }) : undefined,
    lengths && formula('?columns < ?lengths', { columns, lengths }),
  ].filter((limit) => limit !== undefined);
  return limits.reduce((all, limit) => formula('logical_and(?all, ?limit)', { all, limit }));
}

/** The number of keys before the first query: of the cache, which may be among the keys. */
function offset(context: NodeContext, queries: Expr | number, lengths: Expr | undefined): Expr {
  const past = context.optional(4);
  if (past === undefined && lengths !== undefined) {
    return context.formula('?lengths - ?queries', { lengths, queries });
  }
  return asInt64(context, past === undefined ? 0 : sizeOfAxis(context, past, 2));
}

/** `LinearAttention`: a state that each step writes a value to under a key, and reads by a query. */
function readLinearAttention(context: NodeContext): Converted {
  const { attributes, formula, optional } = context;
  const [heads, groups] = [attributes.int('kv_num_heads', 1), attributes.int('q_num_heads', 1)];
  const rule = RULES[attributes.string('update_rule')];
  if (rule === undefined || heads < 1 || groups % heads !== 0) {
    return context.fail('ONNX_ATTRIBUTE', 'expected a known rule, and groups of heads');
  }
  const dtype = context.dtypeOf(context.input(0));
  const [query, key, value] = [groups, heads, heads].map((count, i) =>
    stepsOf(context, context.input(i), count),
  ) as [Expr, Expr, Expr];
  const [steps, size] = [0, 3].map((axis) => sizeOfAxis(context, key, axis)) as [Size, Size];
  const past = optional(3);
  const given = optional(4);
  // One number for all heads is the same for each.
  const decay = given && stepsOf(context, given, context.dimsOf(given)[2] === 1 ? 1 : heads);
  const rate = optional(5);
  const beta =
    rate &&
    formula('transpose(expand_dims(cast(?rate, dtype="float32"), axis=3), axes=[1, 0, 2, 3])', {
      rate,
    });
  const repeats = groups / heads;
  const blank = formula('zeros_like(repeat(?value, repeats=?repeats, axis=2))', { value, repeats });
  const start = past
    ? cast(context, past, 'float32')
    : formula(
        'zeros_like(sum(expand_dims(?key, axis=4) * expand_dims(?value, axis=3), axis=[0]))',
        {
          key,
          value,
        },
      );
  const scale = attributes.float('scale') || inverseRoot(context, size);
  const [, results, state] = context.loop({
    fixed: [query, key, value, rule.decays ? decay : undefined, rule.replaces ? beta : undefined],
    start: [context.scalar(0, 'int64'), blank, start],
    goesOn: (_, [time]) => formula('?time < ?steps', { time, steps }),
    next: ([queries, keys, values, decays, betas], [time, done, before]) => {
      const at = (x: Expr): Expr => take(context, x, time, 0);
      const after = written(context, before, {
        key: at(keys),
        value: at(values),
        decay: decays && at(decays),
        beta: betas && at(betas),
      });
      const state =
        context.shapeOf(before) === undefined
          ? formula('reshape_like(?after, ?before)', { after, before })
          : after;
      const shared = formula('repeat(?after, repeats=?repeats, axis=1)', { after, repeats });
      const read = readBy(context, shared, at(queries));
      const text =
        'scatter_nd(?done, reshape(?time, newshape=[1, 1]), expand_dims(?read * ?scale, axis=0))';
      return [formula('?time + 1', { time }), formula(text, { done, time, read, scale }), state];
    },
  });
  const result = withoutHeads(context, transpose(context, results, [1, 2, 0, 3]));
  const stateType = past ? context.dtypeOf(past) : dtype;
  return [cast(context, result, dtype), cast(context, state, stateType)];
}

const inverseRoot = ({ formula }: NodeContext, size: Size): Size =>
  typeof size === 'number'
    ? 1 / Math.sqrt(size)
    : formula('rsqrt(cast(?size, dtype="float32"))', { size });

/** The rules of the state: whether it decays, and whether what is known under a key is replaced. */
const RULES: Readonly<Record<string, { readonly decays: boolean; readonly replaces: boolean }>> = {
  linear: { decays: false, replaces: false },
  gated: { decays: true, replaces: false },
  delta: { decays: false, replaces: true },
  gated_delta: { decays: true, replaces: true },
};

/** A tensor of batch, steps and features as floats: steps first, and heads. */
function stepsOf(context: NodeContext, x: Expr, heads: number): Expr {
  const split = withHeads(context, cast(context, x, 'float32'), heads);
  return transpose(context, split, [2, 0, 1, 3]);
}

function readBy({ formula }: NodeContext, state: Expr, key: Expr): Expr {
  return formula('sum(?state * expand_dims(?key, axis=3), axis=[2])', { state, key });
}

interface Step {
  readonly key: Expr;
  readonly value: Expr;
  readonly decay: Expr | undefined;
  readonly beta: Expr | undefined;
}

function written(context: NodeContext, before: Expr, { key, value, decay, beta }: Step): Expr {
  const { formula } = context;
  const faded = decay
    ? formula('?before * expand_dims(exp(?decay), axis=3)', { before, decay })
    : before;
  const fresh = beta
    ? formula('?beta * (?value - ?readBy)', { beta, value, readBy: readBy(context, faded, key) })
    : value;
  const text = '?faded + expand_dims(?key, axis=3) * expand_dims(?fresh, axis=2)';
  return formula(text, { faded, key, fresh });
}

/** `RotaryEmbedding`: pairs of features turned by the angles of their positions. */
function readRotaryEmbedding(context: NodeContext): Converted {
  const { attributes } = context;
  const x = context.input(0);
  const isFlat = context.dimsOf(x).length === 3;
  const data = isFlat ? withHeads(context, x, attributes.int('num_heads', 0)) : x;
  const result = turned(context, data, {
    cos: context.input(1),
    sin: context.input(2),
    positions: context.optional(3),
    isInterleaved: attributes.int('interleaved') !== 0,
    width: attributes.int('rotary_embedding_dim') || sizeOfAxis(context, data, 3),
  });
  if (context.hasFailed()) return undefined;
  return isFlat ? withoutHeads(context, result) : result;
}

interface Rotation {
  /** For each position, or for each token without positions, a value for each pair. */
  readonly cos: Expr;
  readonly sin: Expr;
  readonly positions: Expr | undefined;
  /** Whether a pair are neighbours; otherwise they are in both halves. */
  readonly isInterleaved: boolean;
  /** The number of features that are turned: by default two for each angle. */
  readonly width?: Size;
}

/** Data of rank 4 whose first features are turned. */
function turned(context: NodeContext, data: Expr, rotation: Rotation): Expr {
  const { positions, isInterleaved } = rotation;
  const size = sizeOfAxis(context, data, 3);
  const half = context.dimsOf(rotation.cos).at(-1);
  const width = rotation.width ?? (typeof half === 'number' ? 2 * half : size);
  const [cos, sin] = [rotation.cos, rotation.sin].map((cache) => {
    const chosen = positions ? take(context, cache, positions, 0) : cache;
    return expandDims(context, chosen, 1);
  }) as [Expr, Expr];
  const result = rotated(context, part(context, data, 0, width), {
    cos,
    sin,
    width,
    isInterleaved,
  });
  if (width === size) return result;
  return concatenate(context, [result, part(context, data, width, size)], 3);
}

type Size = Expr | number;

function part(context: NodeContext, x: Expr, from: Size, to: Size): Expr {
  if (typeof from === 'number' && typeof to === 'number') return slice(context, x, 3, from, to);
  const start = asInt64(context, from);
  const count = context.formula('?end - ?start', { end: asInt64(context, to), start });
  return take(context, x, plus(context, placesUpTo(context, count), start), 3);
}

const everySecond = (context: NodeContext, x: Expr, from: number, width: Size): Expr =>
  context.call('strided_slice', [x], {
    begin: [from],
    end: typeof width === 'number' ? [width] : [2 ** 31 - 1],
    strides: [2],
    axes: [3],
  });

/** The pairs of features turned: neighbours, or those of both halves. */
function rotated(
  context: NodeContext,
  x: Expr,
  { cos, sin, width, isInterleaved }: Omit<Required<Rotation>, 'positions'>,
): Expr {
  const { call, formula } = context;
  const half = typeof width === 'number' ? width / 2 : call('floor_divide', [width, 2]);
  const a = isInterleaved ? everySecond(context, x, 0, width) : part(context, x, 0, half);
  const b = isInterleaved ? everySecond(context, x, 1, width) : part(context, x, half, width);
  const real = formula('?cos * ?a - ?sin * ?b', { cos, a, sin, b });
  const imaginary = formula('?sin * ?a + ?cos * ?b', { sin, a, cos, b });
  if (!isInterleaved) return concatenate(context, [real, imaginary], 3);
  const pairs = stack(context, [real, imaginary], 4);
  return reshape(context, pairs, [0, 0, 0, typeof width === 'number' ? width : -1]);
}

/** `Attention` of onnxruntime: queries, keys and values are one product of the data. */
function readAttentionOfMicrosoft(context: NodeContext): Converted {
  const { input, optional } = context;
  if (optional(6) !== undefined) {
    return context.fail('ONNX_UNSUPPORTED', 'shared caches are not imported');
  }
  const product = matrixProduct(context, input(0), input(1));
  return product && projectedAttention(context, product, { bias: 2, mask: 3, past: 4, added: 5 });
}

/** `QAttention`: the same of quantized data and weights. */
function readQAttention(context: NodeContext): Converted {
  const { formula, input, optional } = context;
  const left = centred(context, input(0), optional(6));
  const sum = matrixProduct(context, left, centred(context, input(1), optional(7)));
  if (sum === undefined) return undefined;
  const text = '%0 = ?data * ?weight; cast_like(?sum, %0) * %0';
  const product = formula(text, { sum, data: input(3), weight: input(4) });
  return projectedAttention(context, product, { bias: 2, mask: 5, past: 8 });
}

interface Inputs {
  readonly bias: number;
  readonly mask: number;
  readonly past: number;
  readonly added?: number;
}

function projectedAttention(context: NodeContext, product: Expr, inputs: Inputs): Converted {
  const { attributes, formula, optional } = context;
  const isOther = ['do_rotary', 'past_present_share_buffer'].some((name) =>
    attributes.int(name, 0),
  );
  if (isOther) {
    return context.fail('ONNX_UNSUPPORTED', 'rotary positions and shared caches are not imported');
  }
  const parts = projected(context, product, optional(inputs.bias));
  if (parts === undefined) return undefined;
  const [query, fresh, newest] = parts;
  const given = optional(inputs.past);
  const past = (index: number): Expr | undefined =>
    given &&
    formula('take(?given, ?index, axis=0)', { given, index: context.scalar(index, 'int32') });
  const key = afterPast(context, past(0), fresh);
  const value = afterPast(context, past(1), newest);
  const added = inputs.added === undefined ? undefined : optional(inputs.added);
  const bias = keyBias(context, query, key, { mask: optional(inputs.mask), added });
  const found = scaledAttention(context, { query, key, value, bias });
  if (found === undefined) return undefined;
  const present = formula('stack((?key, ?value), axis=0)', { key, value });
  return [withoutHeads(context, found.result), ...(context.isUsed(1) ? [present] : [])];
}

function projected(
  context: NodeContext,
  product: Expr,
  bias: Expr | undefined,
): Threefold | undefined {
  const { attributes, input } = context;
  const width = context.dimsOf(input(1))[1];
  if (typeof width !== 'number') {
    return context.unknown('expected weights of known size');
  }
  const all = plus(context, product, bias);
  const widths = attributes.ints('qkv_hidden_sizes') ?? [width / 3, width / 3, width / 3];
  const heads = attributes.int('num_heads', 1);
  return threefold((index) => withHeads(context, featuresOf(context, all, widths, index), heads));
}

/** Queries, keys and values: `[batch, heads, positions, features]` each. */
type Threefold = readonly [query: Expr, key: Expr, value: Expr];

const threefold = (part: (index: number) => Expr): Threefold => [part(0), part(1), part(2)];

function featuresOf(
  context: NodeContext,
  x: Expr,
  widths: ReadonlyArray<number>,
  index: number,
): Expr {
  const [begin, end] = rangesOf(widths)[index] ?? [0, 0];
  return slice(context, x, 2, begin, end);
}

interface Scaled extends Pick<AttentionParts, 'query' | 'key' | 'value' | 'bias' | 'sink'> {
  readonly softcap?: number;
}

/** The attention; a scale of 0 is the inverse root of the number of features. */
function scaledAttention(
  context: NodeContext,
  { softcap = 0, ...parts }: Scaled,
): Attention | undefined {
  const scale = context.attributes.float('scale', 0);
  return attentionOf(context, {
    ...parts,
    root: scale === 0 ? defaultRoot(context, parts.query) : Math.sqrt(scale),
    softcap,
    precision: context.dtypeOf(parts.query),
  });
}

/** `MultiHeadAttention`: attention of queries, keys and values; the last two may have heads already. */
function readMultiHeadAttention(context: NodeContext): Converted {
  const { attributes, input, optional } = context;
  const [first, second] = [optional(1), optional(2)];
  const isPlain = [8, 9].every((index) => optional(index) === undefined);
  if (first === undefined || second === undefined || !isPlain) {
    return context.fail('ONNX_UNSUPPORTED', 'packed inputs and shared caches are not imported');
  }
  const biased = withBiases(context, [input(0), first, second]);
  if (biased === undefined) return undefined;
  const heads = attributes.int('num_heads', 1);
  const [query, fresh, newest] = threefold((index) => {
    const x = biased[index] as Expr;
    return context.dimsOf(x).length === 4 ? x : withHeads(context, x, heads);
  });
  const key = afterPast(context, optional(6), fresh);
  const value = afterPast(context, optional(7), newest);
  const bias = keyBias(context, query, key, { mask: optional(4), added: optional(5) });
  const found = scaledAttention(context, { query, key, value, bias });
  return found && [withoutHeads(context, found.result), key, value, found.scores];
}

/** Inputs without heads plus their parts of the bias: of queries, keys and values, in order. */
function withBiases(context: NodeContext, inputs: Threefold): Threefold | undefined {
  const bias = context.optional(3);
  if (bias === undefined) return inputs;
  // Inputs with heads have no part of the bias.
  const widths = inputs.map((x) => (context.dimsOf(x).length === 4 ? 0 : context.dimsOf(x)[2]));
  const known = widths.filter((width) => typeof width === 'number');
  if (known.length < widths.length) return context.unknown('expected a known number of features');
  const parts = rangesOf(known);
  const text = '?x + strided_slice(?bias, begin=?begin, end=?end)';
  const biased = inputs.map((x, i) => {
    const [begin = 0, end = 0] = parts[i] ?? [];
    if (begin === end) return x;
    return context.formula(text, { x, bias, begin: [begin], end: [end] });
  });
  const [query, key, value] = biased;
  return query && key && value && [query, key, value];
}

/** `GroupQueryAttention`: causal attention over a cache, in which groups of heads share keys. */
function readGroupQueryAttention(context: NodeContext): Converted {
  const { attributes, formula, optional } = context;
  const isQuantized =
    attributes.int('kv_cache_bit_width', 0) !== 0 ||
    ['k_quant_type', 'v_quant_type'].some((name) => attributes.string(name, 'NONE') !== 'NONE');
  if (isQuantized || attributes.int('sliding_window_cache', 0) !== 0 || context.inputCount > 12) {
    return context.fail('ONNX_UNSUPPORTED', 'only a plain cache of floats is imported');
  }
  if (context.isUsed(3)) {
    return context.fail('ONNX_UNSUPPORTED', 'the products of queries and keys are not imported');
  }
  const parts = grouped(context);
  if (parts === undefined) return undefined;
  const [, , newest] = parts;
  const before = tokensBefore(context, parts[0]);
  const [query, fresh] = turnedByPosition(context, parts, before);
  const key = cached(context, 1, { past: optional(3), fresh, before });
  const value = cached(context, 2, { past: optional(4), fresh: newest, before });
  const seen = visibleFrom(context, sizeOfAxis(context, query, 2), sizeOfAxis(context, key, 2), {
    start: formula('reshape(?before, newshape=[-1, 1, 1, 1])', { before }),
    isCausal: attributes.int('causal', 1) !== 0,
    left: attributes.int('local_window_size', -1) - 1,
    right: -1,
    lengths: undefined,
  });
  const found = scaledAttention(context, {
    query,
    key,
    value,
    bias: unlessHidden(context, optional(10), seen, context.dtypeOf(query)),
    sink: sinkOf(context, query),
    softcap: attributes.float('softcap', 0),
  });
  return found && [withoutHeads(context, found.result), key, value];
}

function grouped(context: NodeContext): Threefold | undefined {
  const { attributes, input, optional } = context;
  const [heads, shared] = ['num_heads', 'kv_num_heads'].map((name) => attributes.int(name, 1)) as [
    number,
    number,
  ];
  const counts = [heads, shared, shared];
  const [key, value] = [optional(1), optional(2)];
  if (key !== undefined && value !== undefined) {
    const inputs = [input(0), key, value];
    return threefold((index) => withHeads(context, inputs[index] as Expr, counts[index] ?? 1));
  }
  const width = context.dimsOf(input(0))[2];
  if (typeof width !== 'number') {
    return context.unknown('expected a known number of features');
  }
  const size = width / (heads + 2 * shared);
  const widths = counts.map((count) => count * size);
  return threefold((index) =>
    withHeads(context, featuresOf(context, input(0), widths, index), counts[index] ?? 1),
  );
}

/** The number of tokens of each sequence before the new ones: `[batch]`, int64. */
function tokensBefore(context: NodeContext, query: Expr): Expr {
  const [last, total] = [context.input(5), context.input(6)];
  const count = sizeOfAxis(context, query, 2);
  // Without earlier tokens, `last` may be less than the number of new ones: the rest is padding.
  const text =
    'where(cast(?total, dtype="int64") == ?count, 0, reshape(cast(?last, dtype="int64"), newshape=[-1]) + 1 - ?count)';
  return context.formula(text, { last, total, count: asInt64(context, count) });
}

function turnedByPosition(
  context: NodeContext,
  [query, key]: Threefold,
  before: Expr,
): readonly [Expr, Expr] {
  const { attributes, formula, input, optional } = context;
  if (attributes.int('do_rotary', 0) === 0) return [query, key];
  const own = placesUpTo(context, sizeOfAxis(context, query, 2));
  const rotation = {
    cos: input(7),
    sin: input(8),
    positions: optional(9) ?? formula('expand_dims(?before, axis=1) + ?own', { before, own }),
    isInterleaved: attributes.int('rotary_interleaved', 0) !== 0,
  };
  return [turned(context, query, rotation), turned(context, key, rotation)];
}

interface Cached {
  readonly past: Expr | undefined;
  readonly fresh: Expr;
  /** The position of the first new token of each sequence. */
  readonly before: Expr;
}

/**
 * The keys or values so far, the result at `index`: as long as the cache, if the file states the same
 * size for both, or longer by the new tokens.
 */
function cached(context: NodeContext, index: number, { past, fresh, before }: Cached): Expr {
  const { formula } = context;
  if (past === undefined) return fresh;
  const all = afterPast(context, past, fresh);
  const [batch, , length = anyDim] = context.dimsOf(past);
  const stated = context.stated(index)?.[2] ?? anyDim;
  const hasRoom = !isAnyDim(length) && dimsEqual(length, stated);
  if (!hasRoom && batch === 1) {
    context.warn('ONNX_CACHE', 'a cache of attention is taken to hold the earlier tokens only');
    return all;
  }
  const result = hasRoom ? past : all;
  const [places, batches] = [sizeOfAxis(context, result, 2), sizeOfAxis(context, all, 0)].map(
    (size) => placesUpTo(context, size),
  ) as [Expr, Expr];
  const [start, count, each] = [
    sizeOfAxis(context, past, 2),
    sizeOfAxis(context, fresh, 2),
    sizeOfAxis(context, all, 2),
  ];
  const from = formula(
    '%0 = ?places - expand_dims(?before, axis=1); where(logical_and(%0 >= 0, %0 < ?count), %0 + ?start, ?places)',
    { places, before, count, start },
  );
  const rows = formula('?from + expand_dims(?batches * ?each, axis=1)', { from, batches, each });
  const text =
    'transpose(take(reshape(transpose(?all, axes=[0, 2, 1, 3]), newshape=[-3, -2]), ?rows, axis=0), axes=[0, 2, 1, 3])';
  return formula('reshape_like(?moved, ?result)', { moved: formula(text, { all, rows }), result });
}

/** The score of no key for each head, as the softmax counts it: `[heads, 1, 1]`. */
function sinkOf(context: NodeContext, query: Expr): Expr | undefined {
  const sink = context.optional(11);
  if (sink !== undefined) return context.formula('reshape(?sink, newshape=[-1, 1, 1])', { sink });
  if (context.attributes.int('smooth_softmax', -1) !== 1) return undefined;
  return context.scalar(0, context.dtypeOf(query));
}

/** `RotaryEmbedding` of onnxruntime, with positions, or the position of the first token. */
function readRotaryEmbeddingOfMicrosoft(context: NodeContext): Converted {
  const { attributes, formula, input } = context;
  const [x, given, cos, sin] = [input(0), input(1), input(2), input(3)];
  if (attributes.int('is_packed_batching', 0) !== 0) {
    return context.fail('ONNX_UNSUPPORTED', 'packed batches are not imported');
  }
  const isFlat = context.dimsOf(x).length === 3;
  const heads = attributes.int('num_heads', 0) || headsOf(context, x, cos);
  if (heads === undefined) return undefined;
  const data = isFlat ? withHeads(context, x, heads) : x;
  const own = placesUpTo(context, sizeOfAxis(context, data, 2));
  const isFirst = context.dimsOf(given).length < 2;
  const positions = isFirst
    ? formula('reshape(?given, newshape=[1, 1]) + ?own', { given, own })
    : given;
  const isInterleaved = attributes.int('interleaved', 0) !== 0;
  const result = turned(context, data, { cos, sin, positions, isInterleaved });
  return isFlat ? withoutHeads(context, result) : result;
}

function headsOf(context: NodeContext, x: Expr, cos: Expr): number | undefined {
  const [width, half] = [context.dimsOf(x).at(-1), context.dimsOf(cos)[1]];
  if (typeof width === 'number' && typeof half === 'number') return width / (2 * half);
  return context.unknown('expected a known number of features');
}

interface KeyMasks {
  readonly mask: Expr | undefined;
  readonly added: Expr | undefined;
}

/** What is added to the scores for the keys that a mask leaves out, and for later keys. */
function keyBias(
  context: NodeContext,
  query: Expr,
  key: Expr,
  { mask, added }: KeyMasks,
): Expr | undefined {
  const { attributes, call, formula } = context;
  const filter = attributes.float('mask_filter_value', -10000);
  const excluded = (kept: Expr): Expr =>
    formula('(1 - cast(?kept, dtype="float32")) * ?filter', { kept, filter });
  const ofMask = mask && keptBy(context, mask, key);
  const isCausal = attributes.int('unidirectional') !== 0;
  const seen = isCausal ? notLater(context, query, key) : undefined;
  const parts = [ofMask && excluded(ofMask), seen && excluded(seen), added];
  const present = parts.filter((part) => part !== undefined);
  return present.length === 0 ? undefined : present.reduce((sum, part) => call('add', [sum, part]));
}

/** The keys that are kept: by the length of each sequence, by each key, or by query and key. */
function keptBy(context: NodeContext, mask: Expr, key: Expr): Expr {
  const { formula } = context;
  const rank = context.dimsOf(mask).length;
  if (rank === 2) return reshape(context, mask, [0, 1, 1, -1]);
  if (rank === 3) return expandDims(context, mask, 1);
  if (rank === 4) return mask;
  const places = placesUpTo(context, sizeOfAxis(context, key, 2));
  const text = '?places < reshape(cast(?mask, dtype="int64"), newshape=[-1, 1, 1, 1])';
  return formula(text, { places, mask });
}

/** Whether a key is not after the query; the last query is at the last key. */
function notLater(context: NodeContext, query: Expr, key: Expr): Expr | undefined {
  const [queries, keys] = [sizeOfAxis(context, query, 2), sizeOfAxis(context, key, 2)];
  const [count, all] = [queries, keys].map((size) => asInt64(context, size)) as [Expr, Expr];
  return visibleFrom(context, queries, keys, {
    start: context.formula('?all - ?count', { all, count }),
    isCausal: true,
    left: -1,
    right: -1,
    lengths: undefined,
  });
}
