/** `QuantizeLinear` of ONNX Runtime, which has it for more types of integers. */
import { MICROSOFT } from '../../node/domains.ts';
import type { OnnxOperator } from '../../node/operator.ts';
import { quantizeLinear } from '../quantize-linear.ts';

export const microsoftQuantizeLinear: OnnxOperator = {
  domain: MICROSOFT,
  opType: 'QuantizeLinear',
  versions: [1],
  inputs: [2, 3],
  attributes: { axis: 'int' },
  convert: quantizeLinear.convert,
};
