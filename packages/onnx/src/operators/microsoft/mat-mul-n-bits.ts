/** `MatMulNBits`: the product with a matrix whose elements have 4 bits, in blocks with scales. */
import type { Expr } from '@baton/ir';
import { scalar } from '@baton/tensor';
import { MICROSOFT } from '../../node/domains.ts';
import type { NodeContext, OnnxOperator } from '../../node/operator.ts';

/** The integer that stands for 0, if the node does not say it. */
const ZERO = 8;

export const matMulNBits: OnnxOperator = {
  domain: MICROSOFT,
  opType: 'MatMulNBits',
  versions: [1],
  inputs: [3, 6],
  attributes: {
    K: 'int',
    N: 'int',
    accuracy_level: 'int',
    bits: 'int',
    block_size: 'int',
    weight_prepacked: 'int',
  },
  kernelSince: 1,
  convert: (context) => {
    const { attributes, call, input, optional } = context;
    const [depth, columns] = [attributes.int('K', 0), attributes.int('N', 0)];
    const [bits, size] = [attributes.int('bits', 4), attributes.int('block_size', 32)];
    if (attributes.int('weight_prepacked', 0) !== 0) {
      return context.fail('ONNX_UNSUPPORTED', 'prepacked weights of MatMulNBits are not imported');
    }
    if (bits !== 4) {
      return context.fail('ONNX_UNSUPPORTED', `MatMulNBits of ${bits} bits is not imported`);
    }
    if (optional(4) !== undefined) {
      return context.fail('ONNX_UNSUPPORTED', 'MatMulNBits with g_idx is not imported');
    }
    if (depth <= 0 || columns <= 0 || size <= 0) {
      return context.fail('ONNX_ATTRIBUTE', 'expected K, N and block_size of at least 1');
    }
    const blocks = Math.ceil(depth / size);
    const whole = call('reshape', [halves(context, input(1))], {
      newshape: [columns, blocks, size],
    });
    const scales = call('reshape', [input(2)], { newshape: [columns, blocks, 1] });
    const zeros = optional(3) === undefined ? ZERO : zeroPoints(context, input(3), columns, blocks);
    const centred = call('subtract', [call('cast_like', [whole, scales]), zeros]);
    const all = call('reshape', [call('multiply', [centred, scales])], {
      newshape: [columns, blocks * size],
    });
    const weight = call('strided_slice', [all], { begin: [0], end: [depth], axes: [1] });
    const product = call('nn.dense', [input(0), weight]);
    const bias = optional(5);
    return bias ? call('add', [product, bias]) : product;
  },
};

/** The halves of bytes, the lower first, along a new last axis. */
function halves(context: NodeContext, bytes: Expr): Expr {
  const number = (value: number): Expr => context.constant(scalar(value, 'uint8'));
  const low = context.call('bitwise_and', [bytes, number(LOW)]);
  const high = context.call('right_shift', [bytes, number(HALF)]);
  return context.call('stack', [context.tuple([low, high])], { axis: -1 });
}

/** The low half of a byte, and its bits. */
const [LOW, HALF] = [15, 4];

/** The zero points of blocks: halves of bytes, of which a row may have one too many, or floats. */
function zeroPoints(context: NodeContext, zeros: Expr, columns: number, blocks: number): Expr {
  const { call } = context;
  const scales = context.input(2);
  if (context.dtypeOf(zeros) !== 'uint8') {
    return call('reshape', [zeros], { newshape: [columns, blocks, 1] });
  }
  const row = 2 * Math.ceil(blocks / 2);
  const all = call('reshape', [halves(context, zeros)], { newshape: [columns, row] });
  const own = call('strided_slice', [all], { begin: [0], end: [blocks], axes: [1] });
  return call('reshape', [call('cast_like', [own, scales])], { newshape: [columns, blocks, 1] });
}
