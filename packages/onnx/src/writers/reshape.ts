/** `reshape`: most of its codes are gone, since the result’s type is known. */
import { formula } from '../forms/formula.ts';
import { reshaped } from '../forms/reshaping.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const reshape: OnnxWriter = formula('reshape', (context, x) => {
  const codes = context.attrs.ints('newshape');
  // As long as each code is one axis of both, 0 is the data's at the same place.
  const plain = codes.findIndex((code) => code < -1);
  const aligned = plain < 0 ? codes : codes.slice(0, plain);
  const copied = aligned.flatMap((code, axis) => (code === 0 ? [axis] : []));
  return reshaped(context, x, context.attrs.int('allowzero') === 0 ? copied : []);
});
