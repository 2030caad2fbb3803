/** The comparison of two programs, with the first node that differs. */
import { isLeft, type Limits, type Result, right } from '@baton/base';
import * as check from '@baton/equivalence';
import type { Expr, IRModule } from '@baton/ir';
import { runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import type { Comparison, RegimeResult } from '../protocol.ts';
import { changedRows } from './changed-rows.ts';
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
  const other = graphOf(b);
  const first = inputs && check.firstDifference(graphOf(a), other, inputs);
  if (first !== undefined && isLeft(first)) return first;
  const { picture, nodes } = drawn(other);
  const before = pictureOf(a);
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
      ...placeOf(difference.call, nodes),
    },
    counterexample: verdict === 'different' ? check.describeDifference(found.right) : undefined,
    a: before,
    b: picture,
    ...changedRows(before, picture),
  });
}

/** The program without bindings, so that its values can be compared one by one. */
function graphOf(m: IRModule): IRModule {
  const made = runPass(passes.toGraphNormalForm({ keepsEffects: true }))(m);
  return isLeft(made) ? m : made.right.module;
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
