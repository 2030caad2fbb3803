/** `contrib_reverse_reshape`: its codes are gone, since the result’s type is known. */
import { formula } from '../forms/formula.ts';
import { reshaped } from '../forms/reshaping.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const contribReverseReshape: OnnxExporter = formula(
  'contrib_reverse_reshape',
  (context, x) => reshaped(context, x),
);
