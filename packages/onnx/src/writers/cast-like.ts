/** `cast_like`: a cast, since types are known. */
import { formula } from '../forms/formula.ts';
import { resultDType } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const castLike: OnnxExporter = formula('cast_like', (context, x, _like) =>
  context.call('cast', [x], { dtype: resultDType(context) }),
);
