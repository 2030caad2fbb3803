/** `invert_permutation`: each place is scattered to its value. */

import { fromNumbers } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const invertPermutation: OnnxWriter = formula('invert_permutation', (context, x) => {
  const [length] = context.shape(x) ?? [];
  if (length === undefined) return undefined;
  const range = Float64Array.from({ length }, (_, i) => i);
  const places = context.constant(fromNumbers(range, [length], context.dtype(x)));
  return context.call('scatter_elements', [places, x, places]);
});
