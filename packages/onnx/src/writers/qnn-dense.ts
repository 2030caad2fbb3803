/** `qnn.dense`: the second operand is transposed. */
import { integerProduct } from '../forms/integer-products.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const qnnDense: OnnxWriter = {
  op: 'qnn.dense',
  write: (context) => {
    const turned = context.call('transpose', [context.input(1)], { axes: [1, 0] });
    return integerProduct(context, 'MatMulInteger', [context.input(0), turned]);
  },
};
