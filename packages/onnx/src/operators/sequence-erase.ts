/** `SequenceErase`: a sequence without one of its tensors, the last by default. */
import { elementsOf, placeIn } from '../families/sequence.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const sequenceErase: OnnxImporter = {
  opType: 'SequenceErase',
  convert: (context) => {
    const elements = elementsOf(context, 0);
    const place = elements && placeIn(context, 1, elements.length, elements.length - 1);
    return place === undefined ? undefined : context.tuple(elements?.toSpliced(place, 1) ?? []);
  },
};
