/** `Flatten`: merges the axes before `axis`, and the axes from it on. */
import { type Dim, type Expr, multiplyDims } from '@baton/ir';
import { listOf, reshapeCodes } from '../families/sized.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const flatten: OnnxImporter = {
  opType: 'Flatten',
  convert: (context) => {
    const x = context.input(0);
    const dims = context.dimsOf(x);
    const given = context.attributes.int('axis');
    const axis = given === dims.length ? given : context.axis(given, dims.length);
    if (axis === 1 && dims.length > 1) return context.call('nn.batch_flatten', [x]);
    const [rows, columns] = [size(dims.slice(0, axis)), size(dims.slice(axis))];
    if (rows === undefined && columns === undefined) {
      return flattened(context, x, axis);
    }
    return context.call('reshape', [x], { newshape: [rows ?? -1, columns ?? -1], allowzero: 1 });
  },
};

/** The data as a matrix whose rows the run counts. */
function flattened(context: NodeContext, x: Expr, axis: number): Expr {
  const dims = context.dimsOf(x);
  const products = [dims.slice(0, axis), dims.slice(axis)].map((part) =>
    part.reduce(multiplyDims, 1),
  );
  const codes = reshapeCodes(dims, products);
  if (codes !== undefined) return context.call('reshape', [x], { newshape: codes });
  const shape = context.call('shape_of', [x], { dtype: 'int64' });
  const front = context.call('strided_slice', [shape], { begin: [0], end: [axis] });
  const rows = context.call('prod', [front], { axis: [0], keepdims: true });
  const list = context.call('concatenate', [context.tuple([rows, listOf(context, [-1])])]);
  return context.call('dyn.reshape', [x, list]);
}

function size(dims: ReadonlyArray<Dim>): number | undefined {
  let product = 1;
  for (const dim of dims) {
    if (typeof dim !== 'number') return undefined;
    product *= dim;
  }
  return product;
}
