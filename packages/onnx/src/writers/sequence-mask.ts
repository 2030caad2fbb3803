/** `sequence_mask`: places are compared with lengths. */

import { fromNumbers } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { alongAxis } from '../forms/reshaping.ts';
import type { OnnxWriter, Operand } from '../node/writer.ts';

export const sequenceMask: OnnxWriter = formula('sequence_mask', (context, x, lengths) => {
  const { call } = context;
  const axis = context.attrs.int('axis');
  const rank = context.dims(x).length;
  const size = context.dims(x)[axis];
  if (typeof size !== 'number') {
    return context.fail('expected a known size of the masked axis', 'give sizes to the dimensions');
  }
  const range = Float64Array.from({ length: size }, (_, i) => i);
  const places = context.constant(fromNumbers(range, [size], context.dtype(lengths)));
  const along = (vector: Operand, at: number) => alongAxis(context, vector, at, rank);
  const isValid = call('less', [along(places, axis), along(lengths, 1 - axis)]);
  const value = context.scalar(Number(context.attrs.value('mask_value')), context.dtype(x));
  return call('where', [isValid, x, value]);
});
