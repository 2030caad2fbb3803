/** `slice_like`: the data up to the sizes of the result. */

import { isStaticDim } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { resultDims } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const sliceLike: OnnxExporter = formula('slice_like', (context, x, _like) => {
  const end = resultDims(context).filter(isStaticDim);
  if (end.length < context.dims(x).length) {
    return context.unknown('expected a tensor of known shape');
  }
  return context.call('strided_slice', [x], { begin: end.map(() => 0), end });
});
