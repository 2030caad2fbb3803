/** `nn.dense`: the weight is transposed. */
import { formula } from '../forms/formula.ts';
import { product } from '../forms/product.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const dense: OnnxWriter = formula('nn.dense', (context, x, weight) =>
  product(context, x, weight, { a: false, b: true }),
);
