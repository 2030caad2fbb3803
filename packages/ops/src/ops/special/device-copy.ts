import { text } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { annotation } from '../../families/annotation.ts';

export const deviceCopy = annotation({
  name: 'device_copy',
  doc: 'The identity: copies the value to another device.',
  attrs: attrs({
    src_virtual_device: withDefault(text, ''),
    dst_virtual_device: withDefault(text, ''),
  }),
  nonComputational: true,
});
