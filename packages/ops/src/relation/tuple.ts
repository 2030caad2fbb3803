/** The concatenated tensors of a tuple. */
import type { Dim, DTypeTerm, RelationContext } from '@baton/ir';
import { shapeMismatch, wrongRank } from '../diagnostics.ts';
import { meetDims } from './dims.ts';
import { type KnownTensor, report, sameDType } from './known.ts';

/** The common dtype and shape of all fields; the dimension at `axis` may differ. */
export function meetFields(
  fields: ReadonlyArray<KnownTensor>,
  axis: number | undefined,
  context: RelationContext,
): { readonly shape: ReadonlyArray<Dim>; readonly dtype: DTypeTerm } | undefined {
  const [first, ...rest] = fields;
  if (first === undefined) return undefined;
  let { shape, dtype }: { shape: ReadonlyArray<Dim>; dtype: DTypeTerm } = first;
  for (const [i, field] of rest.entries()) {
    const what = `field ${i + 1}`;
    const same = sameDType(dtype, field.dtype, what, context);
    if (same === undefined) return undefined;
    dtype = same;
    if (field.shape.length !== shape.length) {
      return report(context, wrongRank(what, `rank ${shape.length}`, field.shape.length));
    }
    const met: (Dim | undefined)[] = shape.map((dim, at) =>
      at === axis ? dim : meetDims(dim, field.shape[at] as Dim),
    );
    const known = met.filter((dim) => dim !== undefined);
    if (known.length !== met.length) {
      const from = axis === undefined ? 'field 0' : `field 0, but for axis ${axis}`;
      return report(context, shapeMismatch(what, shape, field.shape, from));
    }
    shape = known;
  }
  return { shape, dtype };
}
