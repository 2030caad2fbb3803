/** `sort`: all of the largest or of the smallest. */
import { formula } from '../forms/formula.ts';
import { inOrder } from '../forms/selection.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const sort: OnnxExporter = formula('sort', (context, x) => {
  const { attrs } = context;
  const order = { axis: attrs.int('axis'), ascending: attrs.bool('is_ascend'), count: undefined };
  return inOrder(context, x, order)?.[0];
});
