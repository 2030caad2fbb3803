/** `SwiGLU`: x · sigmoid(αx), times a gate. */
import { wideFormula } from '../families/formula.ts';
import { swishOf } from '../families/swish.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const swiGlu: OnnxImporter = wideFormula('SwiGLU', { alpha: 1 }, ({ call, alpha }, x, y) =>
  call('multiply', [swishOf(call, x, alpha), y]),
);
