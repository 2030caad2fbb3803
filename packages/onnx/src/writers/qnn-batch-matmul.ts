/** `qnn.batch_matmul`: the second operand is transposed. */
import { integerProduct } from '../forms/integer-products.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const qnnBatchMatmul: OnnxWriter = {
  op: 'qnn.batch_matmul',
  write: (context) => {
    const turned = context.call('transpose', [context.input(1)], { axes: [0, 2, 1] });
    return integerProduct(context, 'MatMulInteger', [context.input(0), turned]);
  },
};
