/** The grid: inputs on which nothing rounds, so that results must be bit-identical. */
import type { IRModule } from '@baton/ir';
import type { FastMath } from '@baton/pass-manager';
import { absoluteError, castNumber } from '@baton/tensor';
import { type Baseline, finiteShare, makeRoomWatch, mapInputs } from '../baseline.ts';
import { changed, mapFloats } from '../observe.ts';
import type { Run } from '../run.ts';
import { notApplied, type RegimeVerdict } from '../verdicts.ts';
import { compareResults, type Rule } from './compare.ts';
import { makeNarrowWatch, type NarrowSpacing, UNKNOWN_TYPE } from './narrow.ts';
import { runAgain, verdictOf } from './verdict.ts';

/** Compares on the grid, unless the second program rounds there. */
export function compareOnGrid(
  base: Baseline,
  after: IRModule,
  needs: ReadonlyArray<FastMath>,
): RegimeVerdict {
  const expected = base.grid();
  if ('_tag' in expected) return expected;
  const room = makeRoomWatch();
  const narrow = makeNarrowWatch(base.module, after);
  const found = runAgain(base, after, expected, (name, attrs, result, args) =>
    room.watch(name, attrs, narrow.watch(name, attrs, result, args), args),
  );
  if ('_tag' in found) return found;
  const spacing = needs.includes('narrow') ? narrow.narrowest() : undefined;
  if (spacing === 'unknown') return notApplied(UNKNOWN_TYPE);
  if (spacing !== undefined && !fitsIn(base, expected, spacing)) {
    return notApplied('the first program has numbers that a narrower type has not');
  }
  if (!room.isExact(found.results)) return notApplied('the second program rounds on the grid');
  const rule = needs.includes('nsz') ? VALUES : BITS;
  const compared = compareResults(expected.results, found.results, () => rule);
  return verdictOf(expected, compared, finiteShare(expected.results));
}

/** Whether every number of the first program fits a narrow dtype, so that nothing rounds. */
function fitsIn(base: Baseline, run: Run, { dtype }: NarrowSpacing): boolean {
  let fits = true;
  const check = (x: number): number => {
    fits &&= Object.is(castNumber(x, dtype), x);
    return x;
  };
  const inputs = mapInputs(run.inputs, (t) => changed(t, check));
  base.run(base.module, inputs, (_name, _attrs, result) => mapFloats(result, check));
  return fits;
}

const BITS: Rule = {
  error: absoluteError,
  allows: (error, expected, found) => error === 0 && Object.is(expected, found),
};

const VALUES: Rule = { error: absoluteError, allows: (error) => error === 0 };
