/** `DequantizeLinear` of ONNX Runtime, which has it for more types of integers. */
import { MICROSOFT } from '../../node/domains.ts';
import type { OnnxOperator } from '../../node/operator.ts';
import { dequantizeLinear } from '../dequantize-linear.ts';

export const microsoftDequantizeLinear: OnnxOperator = {
  domain: MICROSOFT,
  opType: 'DequantizeLinear',
  versions: [1],
  inputs: [2, 3],
  attributes: { axis: 'int' },
  convert: dequantizeLinear.convert,
};
