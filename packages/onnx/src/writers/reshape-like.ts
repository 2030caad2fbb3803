/** `reshape_like`: some axes of the data become axes of another tensor. */
import { formula } from '../forms/formula.ts';
import { type Run, reshaped } from '../forms/reshaping.ts';
import { fromFront } from '../forms/types.ts';
import type { CallContext, OnnxExporter, Operand } from '../operator-api/exporter.ts';

export const reshapeLike: OnnxExporter = formula('reshape_like', (context, x, like) => {
  const [left, right] = [rangeOf(context, 'lhs', x), rangeOf(context, 'rhs', like)];
  const runs = (begin: number, end: number, of?: Operand): ReadonlyArray<Run> =>
    Array.from({ length: Math.max(0, end - begin) }, (_, i) => ({
      begin: begin + i,
      end: begin + i + 1,
      ...(of && { of }),
    }));
  return reshaped(context, x, [
    ...runs(0, left.begin),
    ...runs(right.begin, right.end, like),
    ...runs(left.end, context.dims(x).length),
  ]);
});

/** The axes of a side that the call names. */
function rangeOf({ attrs, dims }: CallContext, side: 'lhs' | 'rhs', x: Operand): Run {
  const rank = dims(x).length;
  const end = attrs.value(`${side}_end`) === null ? rank : attrs.int(`${side}_end`);
  return { begin: fromFront(attrs.int(`${side}_begin`), rank), end: fromFront(end, rank) };
}
