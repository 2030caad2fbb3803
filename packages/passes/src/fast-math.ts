/**
 * FastMath: exponentials and their kin become operators that may err more.
 * [passes §21](https://batonjs.github.io/baton/spec/passes#21).
 */
import type { Pass } from '@baton/pass-manager';
import { faster, greedy } from '@baton/rewrites';

/**
 * Replaces calls of operators that have a faster form, which may err more:
 *
 * ```
 * nn.softmax(tanh(%x), axis=1)   =>   nn.fast_softmax(fast_tanh(%x), axis=1)
 * ```
 *
 * An executor may compute the faster form exactly.
 *
 * **Complexity** linear in the function.
 */
export const fastMath: Pass = greedy(faster, {
  name: 'FastMath',
  doc: 'Uses faster, less accurate operators.',
  subject: 'functions',
  level: 4,
  isIdempotent: true,
});
