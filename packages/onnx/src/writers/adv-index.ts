/** `adv_index`: the indices side by side. */
import { type Dim, isStaticDim } from '@baton/ir';
import { castTo } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const advIndex: OnnxExporter = {
  op: 'adv_index',
  write: (context) => {
    const [x, ...indices] = context.fields(0);
    const [result] = context.results;
    if (x === undefined || result === undefined || '_tag' in result.shape) {
      return context.unknown('expected a known rank');
    }
    const rest = context.dims(x).length - indices.length;
    const places: ReadonlyArray<Dim> = result.shape.slice(0, result.shape.length - rest);
    const shape = places.filter(isStaticDim);
    if (shape.length < places.length) return context.unknown('expected known sizes of the indices');
    const columns = indices.map((index) => {
      const wide = context.call('broadcast_to', [castTo(context, index, 'int64')], { shape });
      return context.call('reshape', [wide], { newshape: [...shape, 1] });
    });
    const rows = context.call('concatenate', [columns], { axis: -1 });
    return context.node('GatherND', [x, rows]);
  },
};
