/** `nn.batch_matmul`. */
import { formula } from '../forms/formula.ts';
import { product } from '../forms/product.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const batchMatmul: OnnxExporter = formula('nn.batch_matmul', (context, a, b) =>
  product(context, a, b, {
    a: context.attrs.bool('transpose_a'),
    b: context.attrs.bool('transpose_b'),
  }),
);
