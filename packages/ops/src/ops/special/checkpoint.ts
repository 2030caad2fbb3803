/** The operator `annotation.checkpoint`. */
import { noAttributes } from '../../attrs/schema.ts';
import { annotation } from '../../families/annotation.ts';

export const checkpoint = annotation({
  name: 'annotation.checkpoint',
  doc: 'The value itself, which a gradient may compute again instead of keeping it.',
  source: 'operators §9; Relay v0.14 annotation.checkpoint',
  attrs: noAttributes,
});
