/** `SequenceLength`: the number of tensors in a sequence. */
import { elementsOf } from '../families/sequence.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const sequenceLength: OnnxImporter = {
  opType: 'SequenceLength',
  convert: (context) => {
    const elements = elementsOf(context, 0);
    return elements && context.scalar(elements.length, 'int64');
  },
};
