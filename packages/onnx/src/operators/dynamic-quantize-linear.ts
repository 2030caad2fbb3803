/** `DynamicQuantizeLinear`: bytes, with scale and zero point from the least and greatest value. */
import { dynamicallyQuantized } from '../families/quantization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const dynamicQuantizeLinear: OnnxImporter = {
  opType: 'DynamicQuantizeLinear',
  kernelSince: 11,
  convert: (context) => {
    const found = dynamicallyQuantized(context, context.input(0));
    return found && [found.bytes, found.scale, found.point];
  },
};
