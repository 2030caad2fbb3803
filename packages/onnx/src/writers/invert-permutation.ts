/** `invert_permutation`: each place is scattered to its value. */

import { formula } from '../forms/formula.ts';
import { placesOf } from '../forms/indices.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const invertPermutation: OnnxExporter = formula('invert_permutation', (context, x) => {
  const [length] = context.shape(x) ?? [];
  if (length === undefined) return undefined;
  context.room(length);
  const places = context.constant(placesOf([length], context.dtype(x)));
  return context.call('scatter_elements', [places, x, places]);
});
