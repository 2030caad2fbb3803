/** Operators with vectors along one axis: `bias_add`, normalizations, `prelu`. */
import type { RelationContext, Type } from '@baton/ir';
import { dimAt, fillArg, type KnownTensor, normalAxis, tensorArg } from './known.ts';

/** The data, and the axis of its vectors. */
export interface ChannelData {
  readonly data: KnownTensor;
  readonly axis: number;
}

/**
 * The data of a call whose arguments from 1 on are vectors along `axis`. Unknown ones get the
 * data's dtype; known ones must fit.
 */
export function channelData(
  args: ReadonlyArray<Type>,
  axis: number,
  vectors: ReadonlyArray<string>,
  context: RelationContext,
): ChannelData | undefined {
  const data = tensorArg(args, 0, context);
  if (data === undefined) return undefined;
  const at = normalAxis(axis, data.shape.length, context);
  if (at === undefined) return undefined;
  const size = dimAt(data, at);
  const from = `axis ${at} of \`data\``;
  const fits = vectors.map((name, i) =>
    fillArg(
      args,
      i + 1,
      name,
      [size],
      data.dtype,
      context,
      from,
      'set `axis` to the axis of `data` that it lies along',
    ),
  );
  return fits.every((ok) => ok) ? { data, axis: at } : undefined;
}

/** The shape that broadcasts a vector along `axis` against data of this shape. */
export const channelShape = (shape: ReadonlyArray<number>, axis: number): ReadonlyArray<number> => {
  const at = axis < 0 ? axis + shape.length : axis;
  return shape.map((dim, i) => (i === at ? dim : 1));
};
