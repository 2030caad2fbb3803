import { orNone, text } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { annotation } from '../../families/annotation.ts';

export const debug = annotation({
  name: 'debug',
  doc: 'The identity, visible to an observer of the program: no pass drops, repeats or reorders it.',
  attrs: attrs({ debug_func: withDefault(orNone(text), null) }),
  effect: 'stateful',
});
