/** `nn.matmul`. */
import { formula } from '../forms/formula.ts';
import { product } from '../forms/product.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const matmul: OnnxExporter = formula('nn.matmul', (context, a, b) =>
  product(context, a, b, {
    a: context.attrs.bool('transpose_a'),
    b: context.attrs.bool('transpose_b'),
  }),
);
