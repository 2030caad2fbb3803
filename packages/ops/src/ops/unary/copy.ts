/** The operator `copy`. */

import { noAttributes } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { boolean, f32 } from '../../example-types.ts';
import { movesData } from '../../families/movement.ts';
import { sameForm } from '../../form/views.ts';
import { identityOfData } from '../../relation/basic.ts';
import { likeFirst } from '../../relayout/rules.ts';

export const copy = defineOp({
  name: 'copy',
  doc: 'The identity.',
  source: 'operators §1',
  inputs: ['x'],
  attrs: noAttributes,
  relation: identityOfData,
  form: sameForm,
  kernel: (args) => args.value(0),
  ...movesData,
  relayout: likeFirst,
  fusion: 'elemwise',
  scaleAxis: 'none',
  gradient: ({ g }) => [g],
  examples: [
    { args: [f32(2, 3)], result: f32(2, 3) },
    { args: [boolean()], result: boolean() },
  ],
});
