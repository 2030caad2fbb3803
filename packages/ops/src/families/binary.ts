/** Signatures of elementwise operators of two tensors that broadcast. */
import type { Example } from '../columns.ts';
import type { Signature } from '../define-op.ts';
import { boolean, f32, i32, i64 } from '../example-types.ts';
import { broadcast, broadcastBool } from '../relation/basic.ts';

const INTEGERS: ReadonlyArray<Example> = [
  { args: [i32(2, 1), i32(3)], result: i32(2, 3) },
  { args: [i64(3), i64(1)], result: i64(3) },
];

const EXAMPLES = {
  any: [
    { args: [f32(2, 1, 3), f32(5, 1)], result: f32(2, 5, 3) },
    { args: [i64(3), i64()], result: i64(3) },
  ],
  int: INTEGERS,
  bits: INTEGERS,
  bool: [{ args: [boolean(2, 1), boolean(3)], result: boolean(2, 3) }],
} as const;

const common = { source: 'operators §2', inputs: ['lhs', 'rhs'] } as const;

/** Two tensors of one dtype, bool included if any; the result has that dtype. */
export const binary = (domain: keyof typeof EXAMPLES): Signature<unknown, 'lhs' | 'rhs'> => ({
  ...common,
  relation: broadcast(domain),
  ...(domain === 'any' && { relationName: 'Broadcast' }),
  examples: EXAMPLES[domain],
});

/** Booleans of two tensors of one dtype. */
export const comparison: Signature<unknown, 'lhs' | 'rhs'> = {
  ...common,
  relation: broadcastBool('any'),
  relationName: 'BroadcastComp',
  examples: [
    { args: [f32(2, 1), f32(3)], result: boolean(2, 3) },
    { args: [i64(3), i64()], result: boolean(3) },
  ],
};
