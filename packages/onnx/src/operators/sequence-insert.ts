/** `SequenceInsert`: a sequence with one more tensor, the last by default. */
import { elementsOf, placeIn } from '../families/sequence.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const sequenceInsert: OnnxImporter = {
  opType: 'SequenceInsert',
  convert: (context) => {
    const elements = elementsOf(context, 0);
    const count = elements?.length ?? 0;
    const place = elements && placeIn(context, 2, count, count);
    if (place === undefined) return undefined;
    return context.tuple(elements?.toSpliced(place, 0, context.input(1)) ?? []);
  },
};
