import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { sameForm } from '../../form/views.ts';
import { identityOfData } from '../../relation/basic.ts';

export const testEffect = defineOp({
  name: 'test.effect',
  doc: 'The identity, with a side effect that no pass may drop, repeat or reorder.',
  source: 'operators §9; decision D15',
  inputs: ['x'],
  relation: identityOfData,
  kind: 'other',
  form: sameForm,
  effect: 'stateful',
  examples: [{ args: [f32(2, 3)], result: f32(2, 3) }],
});
