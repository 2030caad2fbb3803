/** `zeros_like`. */

import { filledLike } from '../forms/filled.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const zerosLike: OnnxExporter = formula('zeros_like', (context, x) =>
  filledLike(context, x, context.scalar(0, context.dtype(x))),
);
