/** `collapse_sum_to`. */

import { collapsed } from '../forms/collapse.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const collapseSumTo: OnnxExporter = formula('collapse_sum_to', (context, x, _shape) =>
  collapsed(context, x),
);
