/** Attention. */

import { anyDim, dimsEqual, type Expr, isStaticDim } from '@baton/ir';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import {
  afterPast,
  attentionOf,
  defaultRoot,
  maskBias,
  withHeads,
  withoutHeads,
} from '../shared/attention.ts';
import { namedType } from '../shared/quantization.ts';
import { type Chapter, reads } from '../shared/rows.ts';
import { asInt64, placesUpTo, sizeOfAxis } from '../shared/sizes.ts';
import {
  cast,
  concatenate,
  expandDims,
  pad,
  plus,
  slice,
  take,
  transpose,
} from '../shared/words.ts';

export const attentionOperators: Chapter = [
  reads('Attention', readAttention),
  reads('LinearAttention', readLinearAttention),
  reads('RotaryEmbedding', readRotaryEmbedding),
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

/** The bias of the scores: the mask, and −∞ for the keys that a query may not see. */
function biasOf(context: NodeContext, query: Expr, key: Expr): Expr | undefined {
  const dtype = context.dtypeOf(query);
  const given = context.optional(3);
  const mask = given && padded(context, given, key);
  const bias = mask && (context.dtypeOf(mask) === 'bool' ? maskBias(context, mask, dtype) : mask);
  const seen = visible(context, query, key);
  if (seen === undefined) return bias;
  const values = { seen, zero: bias ?? context.scalar(0, dtype), least: Number.NEGATIVE_INFINITY };
  return context.formula('where(?seen, ?zero, ?least)', values);
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
  return pad(
    context,
    mask,
    rest,
    dims.map((_, axis) => [0, axis === dims.length - 1 ? places - last : 0]),
  );
}

/** The mask, padded to the number of keys of the run. */
function paddedAtRun(context: NodeContext, mask: Expr, key: Expr, rest: Expr): Expr {
  const axis = context.dimsOf(mask).length - 1;
  const [wanted, own] = [sizeOfAxis(context, key, 2), sizeOfAxis(context, mask, axis)].map((size) =>
    asInt64(context, size),
  ) as [Expr, Expr];
  const text = `
    %0 = reshape(maximum(?wanted - ?own, 0), newshape=[1]);
    %1 = strided_slice(shape_of(?mask, dtype="int64"), begin=[0], end=?end);
    concatenate((?mask, dyn.full(?rest, concatenate((%1, %0)), dtype=?dtype)), axis=?axis)`;
  const values = { wanted, own, mask, end: [axis], rest, axis };
  return context.formula(text, { ...values, dtype: context.dtypeOf(mask) });
}

/** Whether a query may see a key by their places; `undefined` if all may. */
function visible(context: NodeContext, query: Expr, key: Expr): Expr | undefined {
  const { attributes, formula } = context;
  const counts = context.optional(6);
  const isCausal = attributes.int('is_causal') !== 0;
  const left = attributes.int('left_window_size');
  const right = attributes.int('right_window_size');
  if (!isCausal && left < 0 && right < 0 && counts === undefined) return undefined;
  const queries = sizeOfAxis(context, query, 2);
  const range = (count: Expr | number, newshape: ReadonlyArray<number>): Expr =>
    formula('reshape(?places, newshape=?newshape)', {
      places: placesUpTo(context, count),
      newshape,
    });
  const rows = range(queries, [-1, 1]);
  const columns = range(sizeOfAxis(context, key, 2), [1, -1]);
  const lengths = counts && formula('reshape(?counts, newshape=[-1, 1, 1, 1])', { counts });
  const start = offset(context, queries, lengths);
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
  const [steps, batch = 1, , size] = context.shapeOf(key) ?? [];
  const width = context.dimsOf(value)[3];
  if (steps === undefined || size === undefined || typeof width !== 'number') {
    return context.unknown('expected known sizes of queries, keys and values');
  }
  const past = optional(3);
  const [decay, beta] = [optional(4), optional(5)].map(
    // One number for all heads is the same for each.
    (x) => x && stepsOf(context, x, context.dimsOf(x)[2] === 1 ? 1 : heads),
  );
  const blank = (...shape: ReadonlyArray<number>): Expr =>
    formula('zeros(shape=?shape, dtype="float32")', { shape });
  const start = past ? cast(context, past, 'float32') : blank(batch, heads, size, width);
  const scale = attributes.float('scale') || 1 / Math.sqrt(size);
  const [, results, state] = context.loop({
    fixed: [query, key, value, rule.decays ? decay : undefined, rule.replaces ? beta : undefined],
    start: [context.scalar(0, 'int32'), blank(steps, batch, groups, width), start],
    goesOn: (_, [time]) => formula('?time < ?steps', { time, steps }),
    next: ([queries, keys, values, decays, betas], [time, done, before]) => {
      const at = (x: Expr): Expr => take(context, x, time, 0);
      const after = written(context, before, {
        key: at(keys),
        value: at(values),
        decay: decays && at(decays),
        beta: betas && at(betas),
      });
      const repeats = groups / heads;
      const shared = formula('repeat(?after, repeats=?repeats, axis=1)', { after, repeats });
      const read = readBy(context, shared, at(queries));
      const text =
        'scatter_nd(?done, reshape(?time, newshape=[1, 1]), expand_dims(?read * ?scale, axis=0))';
      return [formula('?time + 1', { time }), formula(text, { done, time, read, scale }), after];
    },
  });
  const result = withoutHeads(context, transpose(context, results, [1, 2, 0, 3]));
  const stateType = past ? context.dtypeOf(past) : dtype;
  return [cast(context, result, dtype), cast(context, state, stateType)];
}

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

/** `RotaryEmbedding`: pairs of features turned by the angles of their places. */
function readRotaryEmbedding(context: NodeContext): Converted {
  const { attributes } = context;
  const x = context.input(0);
  const isFlat = context.dimsOf(x).length === 3;
  const data = isFlat ? withHeads(context, x, attributes.int('num_heads', 0)) : x;
  const size = sizeOfAxis(context, data, 3);
  if (context.hasFailed()) return undefined;
  const width = attributes.int('rotary_embedding_dim') || size;
  const places = context.optional(3);
  const angles = (index: number): Expr => {
    const cache = context.input(index);
    const chosen = places ? take(context, cache, places, 0) : cache;
    return expandDims(context, chosen, 1);
  };
  const turned = rotated(context, part(context, data, 0, width), angles(1), angles(2), width);
  const rest = part(context, data, width, size);
  const joined = width === size ? turned : joinedAt(context, [turned, rest], 3);
  return isFlat ? withoutHeads(context, joined) : joined;
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

const joinedAt = (context: NodeContext, parts: ReadonlyArray<Expr>, axis: number): Expr =>
  concatenate(context, parts, axis);

/** The pairs of features turned: neighbours, or those of both halves. */
function rotated(context: NodeContext, x: Expr, cos: Expr, sin: Expr, width: Size): Expr {
  const { formula } = context;
  const isNext = context.attributes.int('interleaved') !== 0;
  const half =
    typeof width === 'number' ? width / 2 : formula('floor_divide(?width, 2)', { width });
  const a = isNext ? everySecond(context, x, 0, width) : part(context, x, 0, half);
  const b = isNext ? everySecond(context, x, 1, width) : part(context, x, half, width);
  const text = isNext
    ? 'reshape(stack((?cos * ?a - ?sin * ?b, ?sin * ?a + ?cos * ?b), axis=4), newshape=?sizes)'
    : 'concatenate((?cos * ?a - ?sin * ?b, ?sin * ?a + ?cos * ?b), axis=3)';
  const sizes = [0, 0, 0, typeof width === 'number' ? width : -1];
  return formula<string>(text, { cos, a, sin, b, sizes });
}
