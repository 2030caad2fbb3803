/** `reshape_like`. */
import { formula } from '../forms/formula.ts';
import { reshaped } from '../forms/reshaping.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const reshapeLike: OnnxWriter = formula('reshape_like', (context, x, _like) =>
  reshaped(context, x),
);
