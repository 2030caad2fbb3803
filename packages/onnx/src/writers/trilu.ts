/** `trilu`. */
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const trilu: OnnxExporter = formula('trilu', (context, x, k) => {
  if (!context.since(14, 'Trilu')) return undefined;
  const diagonal = castTo(context, k, 'int64');
  return context.node('Trilu', [x, diagonal], { upper: int(context.attrs.bool('upper')) });
});
