/** `Unique` of flattened data: each element once, with its first place, its number and its ranks. */
import type { Expr } from '@baton/ir';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const unique: OnnxImporter = {
  opType: 'Unique',
  kernelSince: 11,
  convert: (context) => {
    const { attributes, call } = context;
    const x = context.input(0);
    const dims = context.dimsOf(x);
    if (attributes.has('axis') && dims.length !== 1) {
      return context.fail('ONNX_UNSUPPORTED', 'unique slices along an axis are not imported');
    }
    if (dims.includes(0)) {
      const none = call('zeros', [], { shape: [0], dtype: 'int64' });
      return [call('reshape', [x], { newshape: [0], allowzero: 1 }), none, none, none];
    }
    const found = ofSorted(context, call('reshape', [x], { newshape: [-1] }));
    if (attributes.int('sorted') !== 0) return found;
    const [values, places, ranks, counts] = found;
    const order = call('argsort', [places], { axis: 0, dtype: 'int64' });
    const inOrder = (data: Expr): Expr => call('take', [data, order], { axis: 0 });
    const newRanks = call('argsort', [order], { axis: 0, dtype: 'int64' });
    const inverse = call('take', [newRanks, ranks], { axis: 0 });
    return [inOrder(values), inOrder(places), inverse, inOrder(counts)];
  },
};

/** The unique elements in ascending order, their first places, the ranks of all, and the counts. */
function ofSorted(context: NodeContext, x: Expr): readonly [Expr, Expr, Expr, Expr] {
  const { call } = context;
  const joined = (a: Expr, b: Expr): Expr =>
    call('concatenate', [context.tuple([a, b])], { axis: 0 });
  const order = call('argsort', [x], { axis: 0, dtype: 'int64' });
  const sorted = call('take', [x, order], { axis: 0 });
  const next = after(context, sorted);
  const last = call('strided_slice', [sorted], { begin: [0], end: [-1], axes: [0] });
  const yes = call('ones', [], { shape: [1], dtype: 'bool' });
  const isFirst = joined(yes, call('not_equal', [next, last]));
  const places = call('squeeze', [call('argwhere', [isFirst])], { axis: [1] });
  const starts = call('cast', [places], { dtype: 'int64' });
  const steps = call('cumsum', [call('cast', [isFirst], { dtype: 'int64' })], { axis: 0 });
  const rank = call('subtract', [steps, 1]);
  const blank = call('zeros_like', [rank]);
  const ranks = call('scatter_elements', [blank, order, rank], { axis: 0, reduction: 'update' });
  const size = call('shape_of', [x], { dtype: 'int64' });
  const counts = call('subtract', [joined(after(context, starts), size), starts]);
  const at = (data: Expr): Expr => call('take', [data, starts], { axis: 0 });
  return [at(sorted), at(order), ranks, counts];
}

/** All elements but the first. */
const after = (context: NodeContext, x: Expr): Expr =>
  context.call('strided_slice', [x], { begin: [1], end: [Number.MAX_SAFE_INTEGER], axes: [0] });
