/** `QuantizeLinear` of ONNX Runtime, which has it for more types of integers. */
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';
import { quantizeLinear } from '../quantize-linear.ts';

export const microsoftQuantizeLinear: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'QuantizeLinear',
  convert: quantizeLinear.convert,
};
