import { annotation } from '../../families/annotation.ts';

export const bitpackStart = annotation({
  name: 'annotation.bitpack_start',
  doc: 'The identity: marks the start of a computation on packed bits.',
});
