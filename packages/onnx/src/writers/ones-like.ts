/** `ones_like`. */

import { filledLike } from '../forms/filled.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const onesLike: OnnxExporter = formula('ones_like', (context, x) =>
  filledLike(context, x, context.scalar(1, context.dtype(x))),
);
