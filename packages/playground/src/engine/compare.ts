/** Compares two programs: the error of each node, and the first node that differs. */
import { isLeft, type Limits, type Result, right } from '@baton/base';
import type { RowAt } from '@baton/drawing';
import * as check from '@baton/equivalence';
import type { Value } from '@baton/executor';
import type { Call, Expr, IRModule } from '@baton/ir';
import { runPass, sequential } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import type { Comparison, NodeErrorRow, RegimeResult } from '../protocol.ts';
import { type AlignedNodes, aligned } from './aligned.ts';
import { madeUpInputs } from './inputs.ts';

/** Compares two programs on inputs of four kinds. Equal origins may be one node of both. */
export function compare(
  a: IRModule,
  b: IRModule,
  { hasSharedOrigins, limits }: { readonly hasSharedOrigins: boolean; readonly limits: Limits },
): Result<Comparison> {
  const found = check.checkEquivalent(a, b, {
    needs: ROUNDING,
    shouldStop: limits.shouldStop,
  });
  if (isLeft(found)) return found;
  const { verdict, regimes } = found.right;
  const [first, second] = [graphOf(a), graphOf(b)];
  const drawn = aligned(first, second, hasSharedOrigins);
  const inputs = shownInputs(found.right, first);
  const traced = inputs && check.tracedPair(first, second, inputs);
  if (traced !== undefined && isLeft(traced)) return traced;
  const values = traced?.right;
  const difference =
    values === undefined || verdict !== 'different' ? undefined : check.firstDifferenceOf(values);
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
      at: placesOf(drawn.nodesB).get(difference.call),
    },
    counterexample: verdict === 'different' ? check.describeDifference(found.right) : undefined,
    errors: values === undefined ? [] : errorsOf(values, drawn),
    graphs: drawn.graphs,
  });
}

/** The inputs on which nodes are compared: those that show a difference, or else generated ones. */
function shownInputs(
  { regimes }: check.Equivalence,
  m: IRModule,
): ReadonlyArray<Value> | undefined {
  for (const regime of Object.values(regimes)) {
    const inputs = regime._tag === 'Applied' ? regime.counterexample?.inputs : undefined;
    if (inputs !== undefined) return inputs;
  }
  return madeUpInputs(m);
}

function errorsOf(
  values: check.TracedPair,
  { graphs, nodesA, nodesB }: AlignedNodes,
): ReadonlyArray<NodeErrorRow> {
  const [firstAt, secondAt] = [placesOf(nodesA), placesOf(nodesB)];
  const twinOf = new Map<Expr | undefined, Expr | undefined>(
    graphs.twins.map(([from, to]) => [nodesB[to.card]?.[to.row], nodesA[from.card]?.[from.row]]),
  );
  const callOf = (call: Call): Call | undefined => {
    const twin = twinOf.get(call);
    return twin?._tag === 'Call' ? twin : undefined;
  };
  return check.nodeErrors(values, callOf).map(
    ({ first, second, maxAbsError, maxRelError, isDifferent }): NodeErrorRow => ({
      first: check.nameOfCall(first),
      second: check.nameOfCall(second),
      absolute: maxAbsError,
      relative: maxRelError,
      isDifferent,
      firstAt: firstAt.get(first),
      secondAt: secondAt.get(second),
    }),
  );
}

/** The program without bindings and kernels, so that its values can be compared one by one. */
function graphOf(m: IRModule): IRModule {
  const pass = sequential([passes.defuseOps, passes.toGraphNormalForm({ keepsEffects: true })]);
  const made = runPass(pass)(m);
  return isLeft(made) ? m : made.right.module;
}

/** Rounding and the signs of zeros may differ, as after an optimization. */
const ROUNDING = ['nsz', 'reassoc', 'contract', 'arcp', 'afn', 'range'] as const;

const placesOf = (cards: ReadonlyArray<ReadonlyArray<Expr>>): ReadonlyMap<Expr, RowAt> =>
  new Map(cards.flatMap((rows, card) => rows.map((node, row) => [node, { card, row }] as const)));
