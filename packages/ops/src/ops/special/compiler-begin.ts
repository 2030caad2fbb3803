import { text } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { annotation } from '../../families/annotation.ts';

export const compilerBegin = annotation({
  name: 'annotation.compiler_begin',
  doc: 'The identity: a region for another compiler begins here.',
  attrs: attrs({ compiler: text }),
  given: { compiler: 'dnnl' },
});
