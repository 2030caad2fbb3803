/** `scatter_elements`. */
import { formula } from '../forms/formula.ts';
import { asIndices } from '../forms/indices.ts';
import { joining } from '../forms/scattering.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const scatterElements: OnnxExporter = formula(
  'scatter_elements',
  (context, x, places, updates) => {
    const way = joining(context, context.attrs.text('reduction'));
    const axis = int(context.attrs.int('axis'));
    return (
      way &&
      context.node('ScatterElements', [x, asIndices(context, places), updates], { axis, ...way })
    );
  },
);
