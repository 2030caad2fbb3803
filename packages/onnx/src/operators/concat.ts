/** `Concat`: tensors joined along an axis. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const concat: OnnxImporter = {
  opType: 'Concat',
  since: 4,
  convert: (context) => {
    if (!context.attributes.has('axis')) {
      return context.fail('ONNX_ATTRIBUTE', 'expected attribute axis');
    }
    const inputs = Array.from({ length: context.inputCount }, (_, i) => context.optional(i));
    const present = inputs.filter((input) => input !== undefined);
    const axis = context.attributes.int('axis', 0);
    return context.call('concatenate', [context.tuple(present)], { axis });
  },
};
