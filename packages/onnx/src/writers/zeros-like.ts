/** `zeros_like`. */

import { filledLike } from '../forms/filled.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const zerosLike: OnnxWriter = formula('zeros_like', (context, x) =>
  filledLike(context, x, context.scalar(0, context.dtype(x))),
);
