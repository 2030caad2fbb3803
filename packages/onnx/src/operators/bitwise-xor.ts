import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `BitwiseXor`. */
export const bitwiseXor: OnnxOperator = binary({
  opType: 'BitwiseXor',
  versions: [18],
  op: 'bitwise_xor',
});
