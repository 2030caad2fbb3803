/**
 * DivToMul: quotients by constants become products.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import type { Pass } from '@baton/pass-manager';
import { greedy, reciprocals } from '@baton/rewrites';

/**
 * Multiplies by the reciprocals of constants:
 *
 * ```
 * divide(%x, 4f)   =>   multiply(%x, 0.25f)
 * ```
 *
 * Integers are left alone, and so are constants whose reciprocals are too large or too small for
 * their element type. So is a quotient that a rounding, a comparison or a cast to integers reads, unless
 * the reciprocal is exact: on ties the last bit decides.
 *
 * **Complexity** linear in the function and in the constants.
 */
export const divToMul: Pass = greedy(reciprocals, {
  name: 'DivToMul',
  doc: 'Multiplies by the reciprocals of constants.',
  skipUnknown: true,
  subject: 'sizes',
  isIdempotent: true,
});
