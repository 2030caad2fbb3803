/** `ConcatFromSequence`: the tensors of a sequence joined along an axis, or along a new one. */
import { elementsOf } from '../families/sequence.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const concatFromSequence: OnnxImporter = {
  opType: 'ConcatFromSequence',
  convert: (context) => {
    const { attributes, call } = context;
    const elements = elementsOf(context, 0);
    if (elements === undefined) return undefined;
    if (!attributes.has('axis')) return context.fail('ONNX_ATTRIBUTE', 'expected attribute axis');
    const name = attributes.int('new_axis') === 0 ? 'concatenate' : 'stack';
    return call(name, [context.tuple(elements)], { axis: attributes.int('axis', 0) });
  },
};
