import { bool, text } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { annotation } from '../../families/annotation.ts';

export const onDevice = annotation({
  name: 'on_device',
  doc: 'The identity, with the device on which the value is computed.',
  attrs: attrs({
    virtual_device: withDefault(text, ''),
    constrain_result: withDefault(bool, false),
    constrain_body: withDefault(bool, true),
  }),
  nonComputational: true,
});
