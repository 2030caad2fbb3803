/**
 * SimplifyExpr: rewrites that make programs smaller.
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import type { Pass } from '@baton/pass-manager';
import {
  arithmetic,
  casts,
  fills,
  greedy,
  likes,
  movement,
  neutral,
  places,
  quadratic,
  reshapes,
} from '@baton/rewrites';

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
export const simplifyExpr: Pass = greedy(
  [arithmetic, quadratic, movement, casts, places, likes, fills],
  {
    name: 'SimplifyExpr',
    doc: 'Merges chains of constants, reshapes, transposes and casts.',
    skipUnknown: true,
    isIdempotent: true,
  },
);

/**
 * The rules of {@link simplifyExpr} that are left to do once layouts have been chosen: about
 * numbers that change nothing, reshapes, casts and bounds.
 *
 * ```
 * reshape(reshape(%x, newshape=[2, 6]), newshape=[3, 4])   =>   reshape(%x, newshape=[3, 4])
 * ```
 *
 * **Complexity** as of {@link simplifyExpr}.
 */
export const simplifyExprPostAlterOp: Pass = greedy([neutral, reshapes, casts], {
  name: 'SimplifyExprPostAlterOp',
  doc: 'Merges reshapes and casts, and removes identities such as `x * 1`.',
  skipUnknown: true,
  isIdempotent: true,
});
