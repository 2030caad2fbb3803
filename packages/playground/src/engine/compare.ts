/** The comparison of two programs, with the first node that differs. */
import { isLeft, type Limits, type Result, right } from '@baton/base';
import * as check from '@baton/equivalence';
import type { Expr, IRModule } from '@baton/ir';
import type { Comparison, RegimeResult } from '../protocol.ts';
import { drawn, pictureOf } from './programs.ts';

/** Compares two programs on inputs of four kinds. */
export function compare(a: IRModule, b: IRModule, limits: Limits): Result<Comparison> {
  const found = check.checkEquivalent(a, b, {
    needs: ROUNDING,
    shouldStop: limits.shouldStop,
  });
  if (isLeft(found)) return found;
  const { verdict, regimes } = found.right;
  const counterexample = Object.values(regimes).find(
    (regime) => regime._tag === 'Applied' && regime.counterexample !== undefined,
  );
  const inputs =
    counterexample?._tag === 'Applied' ? counterexample.counterexample?.inputs : undefined;
  const first = inputs === undefined ? undefined : check.firstDifference(a, b, inputs);
  if (first !== undefined && isLeft(first)) return first;
  const other = drawn(b);
  const difference = first?.right;
  return right({
    verdict,
    regimes: Object.entries(regimes).map(
      ([name, regime]): RegimeResult => ({
        name,
        verdict:
          regime._tag === 'NotApplied'
            ? `not applied: ${regime.reason}`
            : `${regime.equal ? 'equal' : 'different'}, largest error ${regime.largestError.toExponential(1)}`,
      }),
    ),
    first: difference && {
      node: check.nameOfCall(difference.call),
      closest: difference.closest && check.nameOfCall(difference.closest.call),
      error: difference.closest?.error,
      ...placeOf(difference.call, other.nodes),
    },
    counterexample: verdict === 'different' ? check.describeDifference(found.right) : undefined,
    a: pictureOf(a),
    b: other.picture,
  });
}

/** Rounding and the signs of zeros may differ, as after an optimization. */
const ROUNDING = ['nsz', 'reassoc', 'contract', 'arcp', 'afn', 'range'] as const;

function placeOf(
  node: Expr,
  cards: ReadonlyArray<ReadonlyArray<Expr>>,
): { readonly card: number | undefined; readonly row: number | undefined } {
  for (const [card, rows] of cards.entries()) {
    const row = rows.indexOf(node);
    if (row >= 0) return { card, row };
  }
  return { card: undefined, row: undefined };
}
