/** `rsqrt`: the reciprocal of the square root. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const rsqrt: OnnxExporter = formula('rsqrt', ({ call, node }, x) =>
  node('Reciprocal', [call('sqrt', [x])]),
);
