/** `Attention`: scaled products of queries and keys, with masks, a cache, and shared heads. */
import { anyDim, dimsEqual, type Expr, isStaticDim } from '@baton/ir';
import {
  afterPast,
  attentionOf,
  defaultRoot,
  maskBias,
  withHeads,
  withoutHeads,
} from '../families/attention.ts';
import { namedType } from '../families/quantization.ts';
import { asInt64, placesUpTo, sizeOfAxis } from '../families/sized.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const attention: OnnxImporter = {
  opType: 'Attention',
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
  },
};

/** What is added to the scores: the mask, and −∞ for the keys that a query may not see. */
function biasOf(context: NodeContext, query: Expr, key: Expr): Expr | undefined {
  const dtype = context.dtypeOf(query);
  const given = context.optional(3);
  const mask = given && padded(context, given, key);
  const bias = mask && (context.dtypeOf(mask) === 'bool' ? maskBias(context, mask, dtype) : mask);
  const seen = visible(context, query, key);
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
  if (!isStaticDim(last) || !isStaticDim(places)) return paddedAtRun(context, mask, key, rest);
  if (last > places) return mask;
  const pad_width = dims.map((_, axis) => [0, axis === dims.length - 1 ? places - last : 0]);
  return context.call('nn.pad', [mask, rest], { pad_width });
}

/** The mask, with as many places behind it as the run finds lacking. */
function paddedAtRun(context: NodeContext, mask: Expr, key: Expr, rest: Expr): Expr {
  const { call, tuple } = context;
  const end = context.dimsOf(mask).length - 1;
  const shape = call('shape_of', [mask], { dtype: 'int64' });
  const sizes = call('strided_slice', [shape], { begin: [0], end: [end] });
  const wanted = asInt64(context, sizeOfAxis(context, key, 2));
  const lacking = call('subtract', [wanted, asInt64(context, sizeOfAxis(context, mask, end))]);
  const count = call('reshape', [call('maximum', [lacking, 0])], { newshape: [1] });
  const list = call('concatenate', [tuple([sizes, count])], { axis: 0 });
  const behind = call('dyn.full', [rest, list], { dtype: context.dtypeOf(mask) });
  return call('concatenate', [tuple([mask, behind])], { axis: end });
}

/** Whether a query may see a key by their places; `undefined` if all may. */
function visible(context: NodeContext, query: Expr, key: Expr): Expr | undefined {
  const { call, attributes } = context;
  const counts = context.optional(6);
  const isCausal = attributes.int('is_causal') !== 0;
  const left = attributes.int('left_window_size');
  const right = attributes.int('right_window_size');
  if (!isCausal && left < 0 && right < 0 && counts === undefined) return undefined;
  const queries = sizeOfAxis(context, query, 2);
  const range = (count: Expr | number, newshape: ReadonlyArray<number>): Expr =>
    call('reshape', [placesUpTo(context, count)], { newshape });
  const rows = range(queries, [-1, 1]);
  const columns = range(sizeOfAxis(context, key, 2), [1, -1]);
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
function offset(context: NodeContext, queries: Expr | number, lengths: Expr | undefined): Expr {
  const past = context.optional(4);
  if (past === undefined && lengths !== undefined) {
    return context.call('subtract', [lengths, queries]);
  }
  return asInt64(context, past === undefined ? 0 : sizeOfAxis(context, past, 2));
}
