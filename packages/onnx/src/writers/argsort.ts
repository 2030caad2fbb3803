/** `argsort`: the places of all of the largest or of the smallest. */
import { formula } from '../forms/formula.ts';
import { inOrder } from '../forms/selection.ts';
import { castTo, resultDType } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const argsort: OnnxExporter = formula('argsort', (context, x) => {
  const { attrs } = context;
  const order = { axis: attrs.int('axis'), ascending: attrs.bool('is_ascend'), count: undefined };
  const places = inOrder(context, x, order)?.[1];
  return places && castTo(context, places, resultDType(context));
});
