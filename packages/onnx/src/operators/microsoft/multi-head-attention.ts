/** `MultiHeadAttention` of ONNX Runtime: attention with queries, keys and values of their own. */
import type { Expr } from '@baton/ir';
import { afterPast, attentionOf, withHeads, withoutHeads } from '../../families/attention.ts';
import { keyBias } from '../../families/key-mask.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { NodeContext, OnnxImporter } from '../../operator-api/importer.ts';

export const multiHeadAttention: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'MultiHeadAttention',
  kernelSince: 1,
  convert: (context) => {
    const { attributes, optional } = context;
    const [key, value] = [optional(1), optional(2)];
    if ((key === undefined || value === undefined || optional(8)) ?? optional(9)) {
      return context.fail('ONNX_UNSUPPORTED', 'packed inputs and shared caches are not imported');
    }
    const heads = attributes.int('num_heads', 1);
    const [query, keys, values] = [context.input(0), key, value].map((x, i) =>
      split(context, x, i, heads),
    ) as [Expr, Expr, Expr];
    const [allKeys, allValues] = [
      afterPast(context, optional(6), keys),
      afterPast(context, optional(7), values),
    ];
    const [, , queries, size] = context.shapeOf(query) ?? [];
    const count = context.dimsOf(allKeys)[2];
    if (queries === undefined || size === undefined || typeof count !== 'number') {
      return context.unknown('expected known numbers of queries and keys');
    }
    const found = attentionOf(context, {
      query,
      key: allKeys,
      value: allValues,
      root: Math.sqrt(attributes.float('scale', 1 / Math.sqrt(size))),
      softcap: 0,
      bias: keyBias(context, optional(4), optional(5), { queries, keys: count }),
      precision: context.dtypeOf(query),
    });
    return found && [withoutHeads(context, found.result), allKeys, allValues, found.scores];
  },
};

/** The heads of an input, with its part of the bias; keys and values may have heads already. */
function split(context: NodeContext, x: Expr, index: number, heads: number): Expr {
  const { call } = context;
  const dims = context.dimsOf(x);
  if (dims.length === 4) return x;
  const bias = context.optional(3);
  if (bias === undefined) return withHeads(context, x, heads);
  // The biases of queries, keys and values stand one after another; the first two are as long.
  const width = context.dimsOf(context.input(0))[2];
  const own = dims[2];
  if (typeof width !== 'number' || typeof own !== 'number') return x;
  const begin = index * width;
  const part = call('strided_slice', [bias], { begin: [begin], end: [begin + own], axes: [0] });
  return withHeads(context, call('add', [x, part]), heads);
}
