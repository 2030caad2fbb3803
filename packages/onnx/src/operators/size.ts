/** `Size`: the number of elements. */
import { scalar, shapeSize } from '@baton/tensor';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const size: OnnxImporter = {
  opType: 'Size',
  convert: (context) => {
    const shape = context.shapeOf(context.input(0));
    if (shape !== undefined) return context.computed(scalar(shapeSize(shape), 'int64'));
    return context.call('ndarray_size', [context.input(0)], { dtype: 'int64' });
  },
};
