/** `argwhere`: the columns of `NonZero` as rows. */

import { anyDim, tensorType } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const argwhere: OnnxExporter = formula('argwhere', (context, x) => {
  const rank = context.dims(x).length;
  if (rank === 0) return context.fail('NonZero of a scalar has other results');
  const columns = context.node('NonZero', [x], {}, tensorType([rank, anyDim], 'int64'));
  return castTo(context, context.call('transpose', [columns]), 'int32');
});
