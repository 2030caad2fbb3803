/** The operator `test.effect`. */
import { noAttributes } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { givesArgument } from '../../families/movement.ts';
import { identityOfData } from '../../relation/basic.ts';

export const testEffect = defineOp({
  name: 'test.effect',
  doc: 'The identity, with a side effect that no pass may drop, repeat or reorder.',
  source: 'operators §9; decision D15',
  inputs: ['x'],
  attrs: noAttributes,
  relation: identityOfData,
  kernel: (args) => args.value(0),
  ...givesArgument,
  effect: 'stateful',
  gradient: ({ g }) => [g],
  examples: [{ args: [f32(2, 3)], result: f32(2, 3) }],
});
