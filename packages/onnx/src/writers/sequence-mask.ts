/** `sequence_mask`: places are compared with lengths. */

import { formula } from '../forms/formula.ts';
import { placesOf } from '../forms/indices.ts';
import { alongAxis } from '../forms/reshaping.ts';
import type { OnnxExporter, Operand } from '../operator-api/exporter.ts';

export const sequenceMask: OnnxExporter = formula('sequence_mask', (context, x, lengths) => {
  const { call } = context;
  const axis = context.attrs.int('axis');
  const rank = context.dims(x).length;
  const size = context.dims(x)[axis];
  if (typeof size !== 'number') {
    return context.unknown('expected a known size of the masked axis');
  }
  context.room(size);
  const places = context.constant(placesOf([size], context.dtype(lengths)));
  const along = (vector: Operand, at: number) => alongAxis(context, vector, at, rank);
  const isValid = call('less', [along(places, axis), along(lengths, 1 - axis)]);
  const value = context.scalar(context.attrs.float('mask_value'), context.dtype(x));
  return call('where', [isValid, x, value]);
});
