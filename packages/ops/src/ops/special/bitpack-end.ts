import { annotation } from '../../families/annotation.ts';

export const bitpackEnd = annotation({
  name: 'annotation.bitpack_end',
  doc: 'The identity: marks the end of a computation on packed bits.',
});
