/** `full_like`. */

import { filledLike } from '../forms/filled.ts';
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const fullLike: OnnxExporter = formula('full_like', (context, x, fill) =>
  filledLike(context, x, castTo(context, fill, context.dtype(x))),
);
