/** `SequenceConstruct`: a sequence of tensors. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const sequenceConstruct: OnnxImporter = {
  opType: 'SequenceConstruct',
  convert: (context) =>
    context.tuple(
      Array.from({ length: context.inputCount }, (_, i) => context.optional(i) ?? []).flat(),
    ),
};
