/** `trilu`. */
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const trilu: OnnxWriter = formula('trilu', (context, x, k) => {
  if (!context.since(14, 'Trilu')) return undefined;
  const diagonal = castTo(context, k, 'int64');
  return context.node('Trilu', [x, diagonal], { upper: int(context.attrs.bool('upper')) });
});
