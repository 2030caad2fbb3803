/** `slice_like`: the data up to the sizes of the result. */

import { isStaticDim } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { resultDims } from '../forms/types.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const sliceLike: OnnxWriter = formula('slice_like', (context, x, _like) => {
  const end = resultDims(context).filter(isStaticDim);
  if (end.length < context.dims(x).length) {
    return context.unknown('expected a tensor of known shape');
  }
  return context.call('strided_slice', [x], { begin: end.map(() => 0), end });
});
