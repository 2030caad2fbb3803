/** `DequantizeLinear` of ONNX Runtime, which has it for more types of integers. */
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';
import { dequantizeLinear } from '../dequantize-linear.ts';

export const microsoftDequantizeLinear: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'DequantizeLinear',
  convert: dequantizeLinear.convert,
};
