import { text } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { annotation } from '../../families/annotation.ts';

export const compilerEnd = annotation({
  name: 'annotation.compiler_end',
  doc: 'The identity: a region for another compiler ends here.',
  attrs: attrs({ compiler: text }),
  given: { compiler: 'dnnl' },
});
