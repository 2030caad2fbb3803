/** `topk`: the values, the places, or both. */

import { isDType } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { inOrder } from '../forms/selection.ts';
import { castTo } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const topk: OnnxExporter = formula('topk', (context, x) => {
  const { attrs } = context;
  const k = attrs.int('k');
  const order = { axis: attrs.int('axis'), ascending: attrs.bool('is_ascend') };
  const found = inOrder(context, x, { ...order, count: k <= 0 ? undefined : k });
  if (found === undefined) return undefined;
  const [values, own] = found;
  const dtype = attrs.text('dtype');
  const places = isDType(dtype) ? castTo(context, own, dtype) : own;
  const wanted = attrs.text('ret_type');
  if (wanted === 'both') return [values, places];
  return wanted === 'values' ? values : places;
});
