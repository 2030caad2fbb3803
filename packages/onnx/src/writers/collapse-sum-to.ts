/** `collapse_sum_to`. */

import { collapsed } from '../forms/collapse.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const collapseSumTo: OnnxWriter = formula('collapse_sum_to', (context, x, _shape) =>
  collapsed(context, x),
);
