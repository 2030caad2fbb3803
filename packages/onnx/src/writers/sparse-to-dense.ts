/** `sparse_to_dense`: updates scattered into copies of the other value. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const sparseToDense: OnnxExporter = formula(
  'sparse_to_dense',
  (context, indices, values, other) => {
    const shape = context.attrs.ints('output_shape');
    const count = context.shape(indices)?.[0] ?? 1;
    const rows = context.call('reshape', [indices], { newshape: [count, shape.length] });
    const columns = context.call('transpose', [rows], { axes: [1, 0] });
    const updates = context.call('broadcast_to', [values], { shape: [count] });
    const data = context.call('broadcast_to', [other], { shape });
    return context.call('scatter_nd', [data, columns, updates], { mode: 'update' });
  },
);
