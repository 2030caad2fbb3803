/** `contrib_reverse_reshape`: its codes are gone, since the result’s type is known. */
import { formula } from '../forms/formula.ts';
import { reshaped } from '../forms/reshaping.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const contribReverseReshape: OnnxWriter = formula('contrib_reverse_reshape', (context, x) =>
  reshaped(context, x),
);
