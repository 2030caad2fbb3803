/**
 * SimplifyInference: spells out normalizations and drops dropout.
 * [passes §6](https://batonjs.github.io/baton/spec/passes#6).
 */
import { aBoolean } from '@baton/base';
import type { Expr, Func, IRModule } from '@baton/ir';
import { isCallOf } from '@baton/ops';
import { expandNothing, greedy, inference, normalizations } from '@baton/rewrites';
import { type ConfigurablePass, configurable } from './configurable.ts';
import { foldedNormalizations } from './fold-scale-axis/folded-normalizations.ts';

export interface SimplifyInferenceOptions {
  /** Drops dropout only; keeps every normalization as one call. */
  readonly dropoutOnly?: boolean;
  /** Spells out only batch normalizations that FoldScaleAxis or SimplifyExpr then absorb. */
  readonly foldedOnly?: boolean;
}

/**
 * Spells out normalizations as arithmetic:
 *
 * ```
 * %0 = nn.batch_norm(%x, %g, %b, %m, %v); %0.0
 * =>
 * %0 = add(%v, 1e-05f); %1 = sqrt(%0); %2 = divide(1f, %1); %3 = multiply(%2, %g);
 * %4 = expand_dims(%3, axis=1, num_newaxis=2); %5 = multiply(%x, %4);
 * %6 = negative(%m); %7 = multiply(%6, %3); %8 = add(%7, %b);
 * %9 = expand_dims(%8, axis=1, num_newaxis=2); add(%5, %9)
 * ```
 *
 * Of `nn.batch_norm` and `nn.dropout` only field
 * 0 is rewritten: a use of another keeps the call.
 *
 * **Complexity** linear in the function.
 */
export const simplifyInference: ConfigurablePass<SimplifyInferenceOptions> = configurable(
  { dropoutOnly: aBoolean, foldedOnly: aBoolean },
  ({ dropoutOnly = false, foldedOnly = false }) =>
    greedy(dropoutOnly ? inference : [inference, normalizations, expandNothing], {
      name: 'SimplifyInference',
      doc: 'Expands normalizations into arithmetic and removes dropout.',
      subject: 'layers',
      skipUnknown: true,
      isIdempotent: true,
      // The one call that does all costs less; other passes take the many apart.
      cost: () => 0,
      // FoldConstant computes what is made of constants, where it stays.
      constantSize: 0,
      where: foldedOnly ? folded : () => () => true,
    }),
);

/** Chooses dropout, and normalizations that a weight or a neighbour absorbs. */
function folded(f: Func, m: IRModule): (node: Expr) => boolean {
  const found = foldedNormalizations(f, m, { constantsOnly: true });
  return (node) =>
    node._tag === 'TupleGetItem' &&
    (isCallOf(node.tuple, 'nn.dropout') || (node.tuple._tag === 'Call' && found.has(node.tuple)));
}
