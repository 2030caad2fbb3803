/** `collapse_sum_like`. */

import { collapsed } from '../forms/collapse.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const collapseSumLike: OnnxExporter = formula('collapse_sum_like', (context, x, _like) =>
  collapsed(context, x),
);
