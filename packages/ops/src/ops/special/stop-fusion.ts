/** The operator `annotation.stop_fusion`. */

import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { sameForm } from '../../form/views.ts';
import { identityOfData } from '../../relation/basic.ts';
import { likeFirst } from '../../relayout/rules.ts';

export const stopFusion = defineOp({
  name: 'annotation.stop_fusion',
  doc: 'The identity, and a barrier to fusion.',
  source: 'operators §9',
  relation: identityOfData,
  kernel: (args) => args.value(0),
  kind: 'other',
  form: sameForm,
  relayout: likeFirst,
  foldable: 'annotation',
  quantizing: 'movement',
  gradient: ({ g }) => [g],
  examples: [
    { args: [f32(2, 3)], result: f32(2, 3) },
    { args: [[f32(2), f32()]], result: [f32(2), f32()] },
  ],
});
