/** `unique`: `Unique`, whose number of elements is a shape. */
import { anyDim, tensorType } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const unique: OnnxExporter = formula('unique', (context, x) => {
  const { attrs } = context;
  if (!context.since(11, 'Unique')) return undefined;
  const open = tensorType([anyDim], 'int64');
  const places = tensorType(context.dims(x), 'int64');
  const sorted = { sorted: int(attrs.bool('sorted')) };
  const types = [tensorType([anyDim], context.dtype(x)), open, places, open];
  const [values, ...counted] = context.nodeOf('Unique', [x], sorted, types);
  if (values === undefined) return undefined;
  const [firsts, inverse, counts] = counted.map((found) => castTo(context, found, 'int32'));
  const count = context.call('shape_of', [values], { dtype: 'int32' });
  if (firsts === undefined || inverse === undefined || counts === undefined) return undefined;
  return [values, firsts, inverse, count, ...(attrs.bool('return_counts') ? [counts] : [])];
});
