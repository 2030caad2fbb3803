/**
 * QnnCanonicalize: operators on quantized integers become arithmetic of integers.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import type { Pass } from '@baton/pass-manager';
import { greedy, quantized } from '@baton/rewrites';

/**
 * Spells out operators on quantized integers:
 *
 * ```
 * qnn.dense(%x, %w, %p, %q, %s, %t)
 * =>
 * nn.dense(cast(%x, dtype="int32") - %p, cast(%w, dtype="int32") - %q, out_dtype="int32")
 * ```
 *
 * A change of scale, `qnn.requantize`, stays where its scales are not constants. Results keep every
 * bit.
 *
 * **Complexity** linear in the function.
 *
 * **Source** Relay v0.14, qnn.transform.CanonicalizeOps.
 */
export const qnnCanonicalize: Pass = greedy(quantized, {
  name: 'QnnCanonicalize',
  doc: 'Expands operators on quantized integers into integer arithmetic.',
  subject: 'quantities',
  level: 1,
  skipUnknown: true,
  isIdempotent: true,
  // The one call that does all costs less; other passes take the many apart.
  cost: () => 0,
});
