/** `Attention`: scaled products of queries and keys, with masks, a cache, and shared heads. */
import type { Expr } from '@baton/ir';
import {
  afterPast,
  attentionOf,
  maskBias,
  withHeads,
  withoutHeads,
} from '../families/attention.ts';
import { namedType } from '../families/quantization.ts';
import type { NodeContext, OnnxOperator } from '../node/operator.ts';

export const attention: OnnxOperator = {
  opType: 'Attention',
  versions: [23, 24, 25],
  inputs: [3, 7],
  attributes: {
    is_causal: 'int',
    kv_num_heads: 'int',
    left_window_size: 'int',
    q_num_heads: 'int',
    qk_matmul_output_mode: 'int',
    right_window_size: 'int',
    scale: 'float',
    softcap: 'float',
    softmax_precision: 'int',
  },
  convert: (context) => {
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
    const size = context.dimsOf(query)[3];
    if (context.hasFailed() || precision === undefined) return undefined;
    if (typeof size !== 'number') return context.unknown('expected a known size of a head');
    const found = attentionOf(context, {
      query,
      key,
      value,
      scale: attributes.float('scale', 1 / Math.sqrt(size)),
      softcap: attributes.float('softcap', 0),
      bias: biasOf(context, query, key),
      precision,
    });
    if (found === undefined) return undefined;
    const stages = [found.scores, found.capped, found.biased, found.weights];
    const shown = stages[attributes.int('qk_matmul_output_mode', 0)] ?? found.scores;
    return [isFlat ? withoutHeads(context, found.result) : found.result, key, value, shown];
  },
};

/** What is added to the scores: the mask, and −∞ for the keys that a query may not see. */
function biasOf(context: NodeContext, query: Expr, key: Expr): Expr | undefined {
  const dtype = context.dtypeOf(query);
  const places = context.dimsOf(key)[2];
  const given = context.optional(3);
  const mask = given && padded(context, given, places);
  const bias = mask && (context.dtypeOf(mask) === 'bool' ? maskBias(context, mask, dtype) : mask);
  const seen = visible(context, query, places);
  if (seen === undefined) return bias;
  const zero = bias ?? context.scalar(0, dtype);
  return context.call('where', [seen, zero, context.scalar(Number.NEGATIVE_INFINITY, dtype)]);
}

/** The mask; keys beyond its end are left out. */
function padded(context: NodeContext, mask: Expr, places: unknown): Expr {
  const dims = context.dimsOf(mask);
  const last = dims.at(-1);
  if (typeof places !== 'number' || typeof last !== 'number' || last >= places) return mask;
  const pad_width = dims.map((_, axis) => [0, axis === dims.length - 1 ? places - last : 0]);
  const isBool = context.dtypeOf(mask) === 'bool';
  const rest = isBool
    ? context.scalar(0, 'bool')
    : context.scalar(Number.NEGATIVE_INFINITY, context.dtypeOf(mask));
  return context.call('nn.pad', [mask, rest], { pad_width });
}

/** Whether a query may see a key by their places; `undefined` if all may. */
function visible(context: NodeContext, query: Expr, keys: unknown): Expr | undefined {
  const { call, attributes } = context;
  const counts = context.optional(6);
  const isCausal = attributes.int('is_causal', 0) !== 0;
  const left = attributes.int('left_window_size', -1);
  const right = attributes.int('right_window_size', -1);
  if (!isCausal && left < 0 && right < 0 && counts === undefined) return undefined;
  const queries = context.dimsOf(query)[2];
  if (typeof queries !== 'number' || typeof keys !== 'number') {
    return context.unknown('expected known numbers of queries and keys');
  }
  const range = (count: number, newshape: ReadonlyArray<number>): Expr => {
    const bounds = [0, count, 1].map((n) => context.scalar(n, 'int64'));
    const all = call('arange', bounds, { dtype: 'int64' });
    return call('reshape', [all], { newshape });
  };
  const [rows, columns] = [range(queries, [queries, 1]), range(keys, [1, keys])];
  const lengths = counts && call('reshape', [counts], { newshape: [-1, 1, 1, 1] });
  const ahead = call('subtract', [call('add', [rows, offset(context, queries, lengths)]), columns]);
  const limits = [
    isCausal ? call('greater_equal', [ahead, 0]) : undefined,
    left >= 0 ? call('less_equal', [ahead, left]) : undefined,
    right >= 0 ? call('greater_equal', [ahead, -right]) : undefined,
    lengths && call('less', [columns, lengths]),
  ].filter((limit) => limit !== undefined);
  return limits.reduce((all, limit) => call('logical_and', [all, limit]));
}

/** The number of keys before the first query: of the cache, which may be among the keys. */
function offset(context: NodeContext, queries: number, lengths: Expr | undefined): Expr {
  const past = context.optional(4);
  const before = past && context.dimsOf(past)[2];
  if (past === undefined && lengths !== undefined) {
    return context.call('subtract', [lengths, queries]);
  }
  return context.scalar(typeof before === 'number' ? before : 0, 'int64');
}
