/** `reverse`: a slice in steps of −1. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const reverse: OnnxExporter = formula('reverse', (context, x) => {
  const axis = context.attrs.int('axis');
  return context.node('Slice', [
    x,
    context.ints([-1]),
    context.ints([-(2 ** 31 - 1)]),
    context.ints([axis]),
    context.ints([-1]),
  ]);
});
