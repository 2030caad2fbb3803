/** `nn.matmul`. */
import { formula } from '../forms/formula.ts';
import { product } from '../forms/product.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const matmul: OnnxWriter = formula('nn.matmul', (context, a, b) =>
  product(context, a, b, {
    a: context.attrs.bool('transpose_a'),
    b: context.attrs.bool('transpose_b'),
  }),
);
