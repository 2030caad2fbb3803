/** `LRN`: local response normalization over channels. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const lrn: OnnxImporter = {
  opType: 'LRN',
  convert: (context) => {
    const { attributes } = context;
    const size = attributes.int('size', 0);
    if (size < 1) return context.fail('ONNX_ATTRIBUTE', 'expected attribute size of 1 or more');
    return context.call('nn.lrn', [context.input(0)], {
      size,
      axis: 1,
      bias: attributes.float('bias'),
      // ONNX's default is 1e-4 as a float32.
      alpha: attributes.float('alpha'),
      beta: attributes.float('beta'),
    });
  },
};
