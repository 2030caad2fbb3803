import { dtype } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { annotation } from '../../families/annotation.ts';

export const castHint = annotation({
  name: 'annotation.cast_hint',
  doc: 'The identity, with the dtype in which the value may be computed.',
  attrs: attrs({ dtype }),
  quantizing: 'hint',
  given: { dtype: 'float16' },
});
