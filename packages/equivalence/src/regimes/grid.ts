/** The grid: inputs on which nothing rounds, so that results are equal to the bit. */
import type { IRModule } from '@baton/ir';
import type { FastMath } from '@baton/pass-manager';
import { absoluteError } from '@baton/tensor';
import { type Baseline, finiteShare, makeRoomWatch } from '../baseline.ts';
import { notApplied, type RegimeVerdict } from '../verdicts.ts';
import { compareResults, type Rule } from './compare.ts';
import { runAgain, verdictOf } from './verdict.ts';

/**
 * Compares on the grid. A second program that rounds there computes in another way, and is left to
 * the other regimes.
 */
export function compareOnGrid(
  base: Baseline,
  after: IRModule,
  needs: ReadonlyArray<FastMath>,
): RegimeVerdict {
  const expected = base.grid();
  if ('_tag' in expected) return expected;
  const room = makeRoomWatch();
  const found = runAgain(base, after, expected, room.watch);
  if ('_tag' in found) return found;
  if (!room.isExact(found.results)) return notApplied('the second program rounds on the grid');
  const rule = needs.includes('nsz') ? VALUES : BITS;
  const compared = compareResults(expected.results, found.results, () => rule);
  return verdictOf(expected, compared, finiteShare(expected.results));
}

const BITS: Rule = {
  error: absoluteError,
  allows: (error, expected, found) => error === 0 && Object.is(expected, found),
};

const VALUES: Rule = { error: absoluteError, allows: (error) => error === 0 };
