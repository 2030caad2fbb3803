/** The operator `annotation.stop_fusion`. */
import { noAttributes } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { givesArgument } from '../../families/movement.ts';
import { identityOfData } from '../../relation/basic.ts';
import { likeFirst } from '../../relayout/rules.ts';

export const stopFusion = defineOp({
  name: 'annotation.stop_fusion',
  doc: 'The identity, and a barrier to fusion.',
  source: 'operators §9',
  inputs: ['data'],
  attrs: noAttributes,
  relation: identityOfData,
  kernel: (args) => args.value(0),
  ...givesArgument,
  relayout: likeFirst,
  foldable: 'annotation',
  quantizing: 'movement',
  gradient: ({ g }) => [g],
  examples: [
    { args: [f32(2, 3)], result: f32(2, 3) },
    { args: [[f32(2), f32()]], result: [f32(2), f32()] },
  ],
});
