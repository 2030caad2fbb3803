/** `Gemm`: alpha · A · B + beta · C, where A and B may be transposed and C broadcasts. */
import type { Expr } from '@baton/ir';
import { isFloat } from '@baton/tensor';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const gemm: OnnxImporter = {
  opType: 'Gemm',
  since: 7,
  convert: (context) => {
    const { attributes } = context;
    const swapped = (x: Expr): Expr => context.call('transpose', [x], { axes: [1, 0] });
    const [a, b, c] = [context.input(0), context.input(1), context.optional(2)];
    const data = attributes.int('transA') === 0 ? a : swapped(a);
    // `nn.dense` takes its weight transposed.
    const weight = attributes.int('transB') === 0 ? swapped(b) : b;
    const product = context.call('nn.dense', [data, weight]);
    const scaled = multiplied(context, product, attributes.float('alpha'));
    if (c === undefined || context.hasFailed()) return scaled;
    const addend = multiplied(context, c, attributes.float('beta'));
    const addendDims = context.dimsOf(addend);
    const units = context.dimsOf(product)[1];
    // Two unknown sizes may be 1 and another.
    const isBias = addendDims.length === 1 && typeof units === 'number' && addendDims[0] === units;
    return isBias
      ? context.call('nn.bias_add', [scaled, addend], { axis: 1 })
      : context.call('add', [scaled, addend]);
  },
};

function multiplied(context: NodeContext, x: Expr, factor: number): Expr {
  if (factor === 1) return x;
  const dtype = context.dtypeOf(x);
  if (!isFloat(dtype) && !Number.isInteger(factor)) {
    context.fail('ONNX_ATTRIBUTE', `expected a whole factor of integers, found ${factor}`);
    return x;
  }
  return context.call('multiply', [x, factor]);
}
