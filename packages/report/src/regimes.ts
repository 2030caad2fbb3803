/** The four regimes of equivalence, as checks of the report. */

import { isLeft } from '@baton/base';
import { cut } from '@baton/drawing';
import { REGIMES, type Regime, type RegimeVerdict } from '@baton/equivalence';
import {
  checkPass,
  type Executor,
  type IRModule,
  kernelFusion,
  optimize,
  renderDiagnostic,
  sequential,
} from 'batonjs';
import { scientific } from './figures.ts';
import type { Check } from './page/data.ts';
import type { Level } from './variants.ts';

/** Up to this number of operations per run, the regimes take seconds: each runs both programs. */
export const MAX_REGIME_FLOPS = 1e9;

const DOCS: { readonly [R in Regime]: string } = {
  grid: 'Small fractions on which float arithmetic is exact: results agree bit for bit.',
  shadow: 'Both programs in float64, folded constants included: they agree to a billionth.',
  native: 'In the model’s own dtype: no further from float64 than the original program.',
  special: 'NaN, infinities, signed zeros, subnormals, extremes of integers.',
};

/** Optimizes and fuses once more under `checkPass`, and returns the verdict of each regime. */
export function regimeChecks(m: IRModule, level: Level, executor: Executor): ReadonlyArray<Check> {
  const pipeline = sequential([optimize({ level }), kernelFusion], { name: 'optimize and fuse' });
  const checked = checkPass(pipeline, m, { context: { level }, seed: SEED, executor });
  if (isLeft(checked))
    return regimesLeftOut(checked.left.map((d) => renderDiagnostic(d)).join('; '));
  const { regimes } = checked.right.equivalence;
  return REGIMES.map((regime) => checkOf(regime, regimes[regime]));
}

/** The regimes as checks that were not run for this reason. */
export const regimesLeftOut = (reason: string): ReadonlyArray<Check> =>
  REGIMES.map((regime) => ({ ...headOf(regime), verdict: 'not run', detail: cut(reason) }));

const SEED = 1;

const headOf = (regime: Regime): Pick<Check, 'name' | 'doc'> => ({
  name: `${regime} regime`,
  doc: DOCS[regime],
});

function checkOf(regime: Regime, found: RegimeVerdict): Check {
  const head = headOf(regime);
  if (found._tag === 'NotApplied') return { ...head, verdict: 'not run', detail: found.reason };
  const { equal, largestError, finiteShare, counterexample } = found;
  const shown =
    counterexample === undefined
      ? ''
      : `; output ${counterexample.output}, element ${counterexample.element}: ` +
        `expected ${counterexample.expected}, found ${counterexample.found}`;
  return {
    ...head,
    verdict: equal ? 'equivalent' : 'different',
    detail:
      `largest error ${scientific(largestError)}, ` +
      `${(100 * finiteShare).toFixed(0)} % of results finite${shown}`,
  };
}
