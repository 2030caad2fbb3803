/** `meshgrid`: each vector along its axis, repeated along the others. */
import { isStaticDim } from '@baton/ir';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const meshgrid: OnnxExporter = {
  op: 'meshgrid',
  write: (context) => {
    const vectors = context.fields(0);
    const isExchanged = context.attrs.text('indexing') === 'xy' && vectors.length > 1;
    const shape = context.results[0]?.shape ?? [];
    const sizes = '_tag' in shape ? [] : shape.filter(isStaticDim);
    if (sizes.length < vectors.length) {
      return context.unknown('expected vectors of known length');
    }
    return vectors.map((vector, i) => {
      const axis = isExchanged && i < 2 ? 1 - i : i;
      const newshape = sizes.map((_, at) => (at === axis ? -1 : 1));
      const along = context.call('reshape', [vector], { newshape });
      return context.call('broadcast_to', [along], { shape: sizes });
    });
  },
};
