import { annotation } from '../../families/annotation.ts';

export const checkpoint = annotation({
  name: 'annotation.checkpoint',
  doc: 'The identity: a gradient may recompute the value instead of keeping it.',
});
