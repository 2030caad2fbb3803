/** `SequenceEmpty`: a sequence of no tensors. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const sequenceEmpty: OnnxImporter = {
  opType: 'SequenceEmpty',
  versions: [11],
  inputs: [0, 0],
  attributes: { dtype: 'int' },
  convert: (context) => context.tuple([]),
};
