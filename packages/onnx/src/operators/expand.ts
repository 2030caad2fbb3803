/** `Expand`: both data and shape may have axes of size 1 that the other stretches. */
import { anyDim, type Dim, dimsEqual, type Expr, isAnyDim, isStaticDim } from '@baton/ir';
import { listOf, sizesOfInput } from '../families/sized.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const expand: OnnxImporter = {
  opType: 'Expand',
  convert: (context) => {
    const x = context.input(0);
    const target = sizesOfInput(context, 1);
    const dims = context.dimsOf(x);
    if (target === undefined || context.hasFailed()) return undefined;
    const rank = Math.max(dims.length, target.length);
    const [from, to] = [dims, target].map((list) => padded(list, rank));
    if (from === undefined || to === undefined) return undefined;
    const result = from.map((dim, axis) => spread(dim, to[axis] ?? 1));
    if (result.includes(undefined)) {
      return context.fail('ONNX_SHAPE', `(${dims}) does not broadcast to (${target})`);
    }
    const shape = result.filter((dim) => dim !== undefined);
    if (rank === dims.length && shape.every((dim, axis) => dimsEqual(dim, dims[axis] ?? anyDim))) {
      return x;
    }
    const sizes = shape.filter(isStaticDim);
    return sizes.length === rank
      ? context.call('broadcast_to', [x], { shape: sizes })
      : context.call('dyn.broadcast_to', [x, sizesAtRun(context, x, from, to)]);
  },
};

const padded = (dims: ReadonlyArray<Dim>, rank: number): ReadonlyArray<Dim> => [
  ...new Array<Dim>(rank - dims.length).fill(1),
  ...dims,
];

/** The size of an axis of the result: `?` if either may be 1; `undefined` if they do not agree. */
function spread(from: Dim, to: Dim): Dim | undefined {
  if (to === 1 || dimsEqual(from, to)) return from;
  if (from === 1) return to;
  if (isStaticDim(from) && isStaticDim(to)) return undefined;
  if (isStaticDim(from) && !isAnyDim(to)) return from;
  return isStaticDim(from) ? from : isStaticDim(to) ? to : anyDim;
}

/** The sizes of the result: those of the data where the list has 1. */
function sizesAtRun(
  context: NodeContext,
  x: Expr,
  dims: ReadonlyArray<Dim>,
  target: ReadonlyArray<Dim>,
): Expr {
  const rank = dims.length;
  const int64 = { dtype: 'int64' };
  const list = context.input(1);
  const own = context.dimsOf(x).length;
  const ones = (count: number): Expr => listOf(context, new Array<number>(count).fill(1));
  const inFront = (sizes: Expr, count: number): Expr =>
    count === 0 ? sizes : context.call('concatenate', [context.tuple([ones(count), sizes])]);
  const sizes = own === 0 ? ones(0) : context.call('shape_of', [x], int64);
  const [count = 0] = context.dimsOf(list);
  const to = inFront(list, rank - Number(count));
  // The list has no 1 where the data has more.
  if (dims.every((dim, axis) => dim === 1 || dimsEqual(dim, target[axis] ?? anyDim))) return to;
  const from = inFront(sizes, rank - own);
  return context.call('where', [context.call('equal', [to, ones(1)]), from, to]);
}
