/**
 * CanonicalizeOps: gives operators with two spellings one of them.
 * [passes §20](https://batonjs.github.io/baton/spec/passes#20).
 */

import { aBoolean } from '@baton/base';
import { isOpCall } from '@baton/ops';
import { biases, greedy } from '@baton/rewrites';
import { type ConfigurablePass, configurable } from './configurable.ts';
import { constantOf } from './facts.ts';

export interface CanonicalizeOpsOptions {
  /** Leaves biases that are not constants: one more call would lay them along their axis. */
  readonly constantsOnly?: boolean;
}

/**
 * Writes biases as sums:
 *
 * ```
 * nn.bias_add(%x, %b)   =>   add(%x, expand_dims(%b, axis=1, num_newaxis=2))
 * ```
 *
 * **Complexity** linear in the function.
 */
export const canonicalizeOps: ConfigurablePass<CanonicalizeOpsOptions> = configurable(
  { constantsOnly: aBoolean },
  ({ constantsOnly = false }) =>
    greedy(biases, {
      name: 'CanonicalizeOps',
      doc: 'Writes biases as sums.',
      subject: 'layers',
      level: 3,
      skipUnknown: true,
      isIdempotent: true,
      // One spelling is worth a call.
      cost: () => 0,
      // FoldConstant computes what is made of constants, where it stays.
      constantSize: 0,
      where: () => (node) =>
        !constantsOnly || (isOpCall(node) && constantOf(node.args[1]) !== undefined),
    }),
);
