/**
 * SimplifyExpr: rewrites that make programs smaller.
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import type { Pass } from '@baton/pass-manager';
import { arithmetic, casts, fills, greedy, likes, movement, quadratic } from '@baton/rewrites';

/**
 * Merges constants, and drops calls that do nothing:
 *
 * ```
 * multiply(add(multiply(%x, %c1), %c2), %c3)   =>   add(multiply(%x, %k1), %k2)
 * ```
 *
 * Constants that a rule makes are evaluated at once. Every rule removes a call, or brings one nearer
 * to a form that others merge, so the rules come to an end.
 *
 * **Complexity** linear in the function for each walk, of which two are usual, plus the evaluation of
 * constants.
 */
export const simplifyExpr: Pass = greedy([arithmetic, quadratic, movement, casts, likes, fills], {
  name: 'SimplifyExpr',
  doc: 'Merges chains of constants, reshapes, transposes and casts.',
  skipUnknown: true,
  isIdempotent: true,
});
