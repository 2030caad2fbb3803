/** `SequenceAt`: the tensor at a place in a sequence. */
import { elementsOf, placeIn } from '../families/sequence.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const sequenceAt: OnnxImporter = {
  opType: 'SequenceAt',
  convert: (context) => {
    const elements = elementsOf(context, 0);
    const place = elements && placeIn(context, 1, elements.length, elements.length - 1);
    return place === undefined ? undefined : elements?.[place];
  },
};
