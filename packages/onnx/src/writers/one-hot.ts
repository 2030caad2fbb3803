/** `one_hot`, by comparing: `OneHot` takes negative indices from the end. */

import { formula } from '../forms/formula.ts';
import { placesOf } from '../forms/indices.ts';
import { castTo, fromFront, resultDType } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const oneHot: OnnxExporter = formula('one_hot', (context, indices, on, off) => {
  const { call } = context;
  const depth = context.attrs.int('depth');
  const rank = context.dims(indices).length + 1;
  const axis = fromFront(context.attrs.int('axis'), rank);
  const each = call('expand_dims', [indices], { axis });
  const shape = [depth, ...new Array<number>(rank - 1 - axis).fill(1)];
  context.room(depth);
  const places = context.constant(placesOf(shape, context.dtype(indices)));
  const dtype = resultDType(context);
  const [yes, no] = [castTo(context, on, dtype), castTo(context, off, dtype)];
  return call('where', [call('equal', [each, places]), yes, no]);
});
