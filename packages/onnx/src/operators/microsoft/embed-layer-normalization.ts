/** `EmbedLayerNormalization`: `LayerNormalization` of the sum of the embeddings of words, places and segments. */
import type { Expr } from '@baton/ir';
import { normalized } from '../../families/layer-normalization.ts';
import { ofType, widened } from '../../families/wide.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { NodeContext, OnnxImporter } from '../../operator-api/importer.ts';

export const embedLayerNormalization: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'EmbedLayerNormalization',
  kernelSince: 1,
  convert: (context) => {
    const { call, input, optional } = context;
    const rows = (table: Expr, ids: Expr): Expr =>
      widened(context, call('take', [table, ids], { axis: 0 }));
    const words = rows(input(2), input(0));
    const places = optional(8)
      ? rows(input(3), input(8))
      : widened(context, firstRows(context, input(3), input(0)));
    const [segments, ids] = [optional(4), optional(1)];
    const both = call('add', [words, places]);
    const sum = segments && ids ? call('add', [both, rows(segments, ids)]) : both;
    const { result } = normalized(context, sum, input(5), input(6));
    return [result, lengths(context), ofType(context, sum, context.dtypeOf(input(2)))];
  },
};

/** The rows of the first places, as many as a sequence has. */
function firstRows(context: NodeContext, table: Expr, ids: Expr): Expr {
  const count = context.dimsOf(ids)[1];
  if (typeof count === 'number') {
    return context.call('strided_slice', [table], { begin: [0], end: [count], axes: [0] });
  }
  context.unknown('expected a known number of places');
  return table;
}

/** The number of places that the mask leaves of each sequence; 0 without a mask. */
function lengths({ call, input, optional }: NodeContext): Expr {
  const mask = optional(7);
  if (mask !== undefined) {
    const kept = call('cast', [call('equal', [mask, 1])], { dtype: 'int32' });
    return call('sum', [kept], { axis: [1] });
  }
  const none = call('sum', [call('zeros_like', [input(0)])], { axis: [1] });
  return call('cast', [none], { dtype: 'int32' });
}
