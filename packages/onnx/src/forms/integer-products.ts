/** Products of integers without their zero points: `ConvInteger` and `MatMulInteger`. */

import type { Operand, WriterContext, Written } from '../node/writer.ts';
import type { AttributeValue } from '../protobuf/messages.ts';
import { holds } from './quantized.ts';

/** A node of two operands and their zero points; nothing if those are not of the operands' types. */
export function integerProduct(
  context: WriterContext,
  opType: 'ConvInteger' | 'MatMulInteger',
  [x, w]: readonly [Operand, Operand],
  attributes: Readonly<Record<string, AttributeValue>> = {},
): Written {
  const zeros = [context.input(2), context.input(3)];
  const types = [x, w].map((operand) => context.dtype(operand));
  if (!types.every((dtype) => dtype === 'int8' || dtype === 'uint8')) return undefined;
  if (!zeros.every((zero, i) => holds(types[i] as 'int8' | 'uint8', zero))) return undefined;
  const points = zeros.map((zero, i) => context.call('cast', [zero], { dtype: types[i] ?? '' }));
  return context.node(opType, [x, w, ...points], attributes);
}
