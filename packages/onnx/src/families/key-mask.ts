/** Masks of attention as ONNX Runtime has them: keys that are left out get a very small score. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../operator-api/importer.ts';

/** The sizes that a mask of keys is for. */
export interface MaskSizes {
  readonly queries: number;
  readonly keys: number;
}

/** What is added to the scores for the keys that a mask leaves out, and to keys of the future. */
export function keyBias(
  context: NodeContext,
  mask: Expr | undefined,
  added: Expr | undefined,
  sizes: MaskSizes,
): Expr | undefined {
  const { attributes, call } = context;
  const filter = attributes.float('mask_filter_value', -10000);
  const excluded = (kept: Expr): Expr => {
    const share = call('subtract', [1, call('cast', [kept], { dtype: 'float32' })]);
    return call('multiply', [share, filter]);
  };
  const ofMask = mask && maskOf(context, mask, sizes);
  const isCausal = attributes.int('unidirectional') !== 0;
  const seen = isCausal ? pastOf(context, sizes) : undefined;
  const parts = [ofMask && excluded(ofMask), seen && excluded(seen), added];
  const present = parts.filter((part) => part !== undefined);
  return present.length === 0 ? undefined : present.reduce((sum, part) => call('add', [sum, part]));
}

const places = (context: NodeContext, count: number): Expr => {
  const bounds = [0, count, 1].map((n) => context.scalar(n, 'int32'));
  return context.call('arange', bounds, { dtype: 'int32' });
};

/** The keys that are kept: by the length of each sequence, by each key, or by query and key. */
function maskOf(context: NodeContext, mask: Expr, { keys }: MaskSizes): Expr | undefined {
  const { call } = context;
  const rank = context.dimsOf(mask).length;
  if (rank === 2) return call('reshape', [mask], { newshape: [0, 1, 1, -1] });
  if (rank === 3) return call('expand_dims', [mask], { axis: 1 });
  if (rank === 4) return mask;
  const lengths = call('reshape', [mask], { newshape: [-1, 1, 1, 1] });
  return call('less', [places(context, keys), lengths]);
}

/** Whether a key is not after the query; the last query is at the last key. */
function pastOf(context: NodeContext, { queries, keys }: MaskSizes): Expr {
  const { call } = context;
  const own = call('add', [places(context, queries), keys - queries]);
  return call('greater_equal', [call('expand_dims', [own], { axis: 1 }), places(context, keys)]);
}
