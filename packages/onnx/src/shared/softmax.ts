/** Softmax and its logarithm: along one axis since operator set 13, over all trailing axes before. */
import type { Dim, Expr } from '@baton/ir';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

/** Softmax, or an operator with its conventions. */
export const readsSoftmax = (opType: string, op: string): OnnxImporter => ({
  opType,
  convert: (context) => softmaxOf(context, op, context.version),
});

/** The softmax of the first input, with the conventions of a version of the operator set. */
export function softmaxOf(context: NodeContext, op: string, version: number): Expr | undefined {
  const x = context.input(0);
  const dims = context.dimsOf(x);
  const given = context.attributes.int('axis', version < 13 ? 1 : -1);
  // Before 13, axis = rank is legal, and leaves no axis.
  const isEnd = version < 13 && given === dims.length;
  const axis = isEnd ? given : context.axis(given, dims.length);
  if (context.hasFailed()) return undefined;
  const along = (data: Expr, at: number): Expr => context.call(op, [data], { axis: at });
  return version >= 13 ? along(x, axis) : overTrailingAxes(context, x, axis, along);
}

/** Whether `axis` exists and only axes of size 1 follow it. */
const isSingle = (dims: ReadonlyArray<Dim>, axis: number): boolean =>
  axis < dims.length && dims.slice(axis + 1).every((dim) => dim === 1);

/** The result of `along`, which takes an axis, over all axes from `axis` on: they are merged, and split again. */
export function overTrailingAxes(
  context: NodeContext,
  x: Expr,
  axis: number,
  along: (x: Expr, axis: number) => Expr | undefined,
): Expr | undefined {
  const dims = context.dimsOf(x);
  if (isSingle(dims, axis)) return along(x, axis);
  const trailing = dims.slice(axis).filter((dim) => typeof dim === 'number');
  if (trailing.length < dims.length - axis) {
    return context.unknown(`expected known sizes from axis ${axis} on`);
  }
  const kept = new Array<number>(axis).fill(0);
  const size = trailing.reduce((product, dim) => product * dim, 1);
  // A size of 0 would mean "copy" in a reshape, and there is nothing to compute.
  if (trailing.includes(0)) return x;
  const rows = context.call('reshape', [x], { newshape: [...kept, size] });
  const result = along(rows, -1);
  return result && context.call('reshape', [result], { newshape: [...kept, ...trailing] });
}
