import { type Dim, multiplyDims, tensorType } from '@baton/ir';
import { list, naturalInt } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { looksAt } from '../../form/views.ts';
import { broadcast, reshaped } from '../../moves.ts';
import { ofTensor } from '../../relation/known.ts';

export const tile = defineOp({
  name: 'tile',
  doc: 'The tensor repeated `reps` times along each axis, as in numpy.tile.',
  source: 'operators §4; NumPy tile',
  attrs: attrs({ reps: list(naturalInt) }),
  relation: ofTensor((data, { reps }) => {
    const { dims, counts } = aligned<Dim>(data.shape, reps);
    return tensorType(
      dims.map((dim, i) => multiplyDims(dim, counts[i] ?? 1)),
      data.dtype,
    );
  }),
  form: {
    _tag: 'View',
    repeats: true,
    views: ({ attrs: { reps }, given: [shape = []], results: [result = []] }) => {
      const { dims, counts } = aligned<Dim>(shape, reps);
      // Each axis becomes (count, size), the first of which is a broadcast.
      return looksAt(
        reshaped(dims.flatMap((dim) => [1, dim])),
        broadcast(dims.flatMap((dim, i) => [counts[i] ?? 1, dim])),
        reshaped(result),
      );
    },
  },
  gradient: ({ args: [x], g, attrs: { reps }, sizes, reshape, reshapeLike, sum }) => {
    const { dims, counts } = aligned(sizes(0), reps);
    const spread = reshape(
      g,
      dims.flatMap((dim, i) => [counts[i] ?? 1, dim]),
    );
    return [
      reshapeLike(
        sum(
          spread,
          dims.map((_, i) => 2 * i),
        ),
        x,
      ),
    ];
  },
  examples: [
    { args: [f32(2, 3)], attrs: { reps: [2, 1, 3] }, result: f32(2, 2, 9) },
    { args: [f32(2, 3)], attrs: { reps: [4] }, result: f32(2, 12) },
  ],
});

/** Pads the shorter list with ones in front. */
function aligned<D>(
  shape: ReadonlyArray<D>,
  reps: ReadonlyArray<number>,
): { readonly dims: ReadonlyArray<D | 1>; readonly counts: ReadonlyArray<number> } {
  const rank = Math.max(shape.length, reps.length);
  const ones = (count: number): ReadonlyArray<1> => new Array<1>(count).fill(1);
  return {
    dims: [...ones(rank - shape.length), ...shape],
    counts: [...ones(rank - reps.length), ...reps],
  };
}
