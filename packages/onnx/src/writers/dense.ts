/** `nn.dense`: the weight is transposed. */
import { formula } from '../forms/formula.ts';
import { product } from '../forms/product.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const dense: OnnxExporter = formula('nn.dense', (context, x, weight) =>
  product(context, x, weight, { a: false, b: true }),
);
