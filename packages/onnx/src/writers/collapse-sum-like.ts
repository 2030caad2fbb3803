/** `collapse_sum_like`. */

import { collapsed } from '../forms/collapse.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const collapseSumLike: OnnxWriter = formula('collapse_sum_like', (context, x, _like) =>
  collapsed(context, x),
);
