/** `ones_like`. */

import { filledLike } from '../forms/filled.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const onesLike: OnnxWriter = formula('ones_like', (context, x) =>
  filledLike(context, x, context.scalar(1, context.dtype(x))),
);
