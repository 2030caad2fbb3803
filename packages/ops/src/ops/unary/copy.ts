import { defineOp } from '../../define-op.ts';
import { boolean, f32 } from '../../example-types.ts';
import { sameForm } from '../../form/views.ts';
import { identityOfData } from '../../relation/basic.ts';

export const copy = defineOp({
  name: 'copy',
  doc: 'The identity.',
  source: 'operators §1',
  inputs: ['x'],
  relation: identityOfData,
  form: sameForm,
  // As in TVM; each element stays at its index.
  fusion: 'elemwise',
  examples: [
    { args: [f32(2, 3)], result: f32(2, 3) },
    { args: [boolean()], result: boolean() },
  ],
});
