/** Signatures of elementwise operators of one tensor without attributes. */
import type { Example } from '../columns.ts';
import type { Signature } from '../define-op.ts';
import { boolean, f32, f64, i32 } from '../example-types.ts';
import { identityBool, identityIn } from '../relation/basic.ts';

const floats: ReadonlyArray<Example> = [
  { args: [f32(2, 3)], result: f32(2, 3) },
  { args: [f64()], result: f64() },
];

const EXAMPLES = {
  float: floats,
  number: [...floats, { args: [i32(5)], result: i32(5) }],
  int: [{ args: [i32(2, 3)], result: i32(2, 3) }],
  bool: [{ args: [boolean(2, 3)], result: boolean(2, 3) }],
} as const;

/** The result has the type of the argument. */
export const unary = (domain: keyof typeof EXAMPLES): Signature<unknown, 'x'> => ({
  source: 'operators §1',
  inputs: ['x'],
  relation: identityIn(domain),
  examples: EXAMPLES[domain],
});

/** Booleans of floats. */
export const unaryTest: Signature<unknown, 'x'> = {
  source: 'operators §1',
  inputs: ['x'],
  relation: identityBool('float'),
  examples: [{ args: [f32(2, 3)], result: boolean(2, 3) }],
};
