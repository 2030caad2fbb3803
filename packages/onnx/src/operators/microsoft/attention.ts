/** `Attention` of ONNX Runtime: queries, keys and values are one product of the data. */
import type { Expr } from '@baton/ir';
import { afterPast, attentionOf, withHeads, withoutHeads } from '../../families/attention.ts';
import { keyBias } from '../../families/key-mask.ts';
import { matrixProduct } from '../../families/matrix-product.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { NodeContext, OnnxImporter } from '../../operator-api/importer.ts';

export const microsoftAttention: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'Attention',
  kernelSince: 1,
  convert: (context) => {
    const { attributes, call, optional } = context;
    const isOther = ['do_rotary', 'past_present_share_buffer'].some((name) =>
      attributes.int(name, 0),
    );
    if (isOther || optional(6) !== undefined) {
      return context.fail('ONNX_UNSUPPORTED', 'rotary places and shared caches are not imported');
    }
    const parts = projected(context);
    if (parts === undefined) return undefined;
    const past = (index: number): Expr | undefined => {
      const given = optional(4);
      return given && call('take', [given, context.scalar(index, 'int32')], { axis: 0 });
    };
    const [query, fresh, newest] = parts;
    const key = afterPast(context, past(0), fresh);
    const value = afterPast(context, past(1), newest);
    const [, , queries, size] = context.shapeOf(query) ?? [];
    const keys = context.dimsOf(key)[2];
    if (queries === undefined || size === undefined || typeof keys !== 'number') {
      return context.unknown('expected known numbers of queries and keys');
    }
    const found = attentionOf(context, {
      query,
      key,
      value,
      root: Math.sqrt(attributes.float('scale', 1 / Math.sqrt(size))),
      softcap: 0,
      bias: keyBias(context, optional(3), optional(5), { queries, keys }),
      precision: context.dtypeOf(query),
    });
    if (found === undefined) return undefined;
    const present = call('stack', [context.tuple([key, value])], { axis: 0 });
    return [withoutHeads(context, found.result), ...(context.isUsed(1) ? [present] : [])];
  },
};

/** Queries, keys and values, with heads. */
function projected(context: NodeContext): readonly [Expr, Expr, Expr] | undefined {
  const { call, input, optional } = context;
  const product = matrixProduct(context, input(0), input(1));
  const width = context.dimsOf(input(1))[1];
  if (product === undefined) return undefined;
  if (typeof width !== 'number') return context.unknown('expected weights of known size');
  const bias = optional(2);
  const all = bias ? call('add', [product, bias]) : product;
  const third = width / 3;
  const [q = third, k = third, v = third] = context.attributes.ints('qkv_hidden_sizes') ?? [];
  const heads = context.attributes.int('num_heads', 1);
  const part = (begin: number, end: number): Expr =>
    withHeads(
      context,
      call('strided_slice', [all], { begin: [begin], end: [end], axes: [2] }),
      heads,
    );
  return [part(0, q), part(q, q + k), part(q + k, q + k + v)];
}
