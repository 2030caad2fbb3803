/** `SequenceEmpty`: a sequence of no tensors. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const sequenceEmpty: OnnxImporter = {
  opType: 'SequenceEmpty',
  convert: (context) => context.tuple([]),
};
